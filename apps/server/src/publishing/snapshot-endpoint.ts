import { pathProblem, snapshotEndpoint, type SnapshotEndpoint } from '@gatehouse/contract'
import type { Row } from '../db/tables.ts'

/** The columns that the gateway needs. */
export const endpointColumns = [
  'id',
  'api_id',
  'summary',
  'method_type',
  'path',
  'status',
  'authentication',
  'custom_output',
  'run_settings',
] as const

/** Undefined where the row can't be served: a worker would refuse the whole snapshot for it. */
export function toSnapshotEndpoint(
  endpoint: Pick<Row<'endpoint'>, (typeof endpointColumns)[number]>,
): SnapshotEndpoint | undefined {
  const parsed = snapshotEndpoint.safeParse({
    id: endpoint.id,
    api_id: endpoint.api_id,
    name: endpoint.summary,
    method: ({ get: 'GET', post: 'POST', put: 'PUT' } as const)[endpoint.method_type],
    path: endpoint.path,
    is_active: endpoint.status === 'active',
    requires_token: endpoint.authentication === 1,
    custom_output: endpoint.custom_output,
    is_read_only: isMarkedReadOnly(endpoint.run_settings),
  })
  return parsed.success && pathProblem(parsed.data.path) === undefined ? parsed.data : undefined
}

/**
 * An effect that a user chose; undefined for the one that follows from the method. Settings that
 * can't be read allow nothing.
 */
function isMarkedReadOnly(runSettings: string | null): boolean {
  if (runSettings === null) return false
  try {
    return (JSON.parse(runSettings) as { effect?: unknown } | null)?.effect === 'read'
  } catch {
    return false
  }
}
