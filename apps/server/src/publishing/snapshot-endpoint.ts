import {
  effectChoices,
  effectOf,
  pathProblem,
  snapshotEndpoint,
  type SnapshotEndpoint,
} from '@gatehouse/contract'
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
  const method = ({ get: 'GET', post: 'POST', put: 'PUT' } as const)[endpoint.method_type]
  const effect = chosenEffect(endpoint.run_settings)
  const parsed = snapshotEndpoint.safeParse({
    id: endpoint.id,
    api_id: endpoint.api_id,
    name: endpoint.summary,
    method,
    path: endpoint.path,
    is_active: endpoint.status === 'active',
    requires_token: endpoint.authentication === 1,
    custom_output: endpoint.custom_output,
    is_read_only: effect === 'read',
    is_repeatable: effect !== undefined && effectOf({ effect }, method) !== 'submit',
  })
  return parsed.success && pathProblem(parsed.data.path) === undefined ? parsed.data : undefined
}

/** The effect that a user chose, or '' for none. Undefined: the settings can't be read and allow nothing. */
function chosenEffect(runSettings: string | null) {
  if (runSettings === null) return ''
  try {
    const { effect = '' } = JSON.parse(runSettings) as { effect?: unknown }
    return effectChoices.find((choice) => choice === effect)
  } catch {
    return undefined
  }
}
