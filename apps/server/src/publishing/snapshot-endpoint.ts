import {
  effectChoices,
  effectOf,
  pathProblem,
  snapshotEndpoint,
  wireMethods,
  type SnapshotEndpoint,
} from '@gatehouse/contract'
import { exampleOfSchema } from '@gatehouse/contract/schema-example'
import type { Row } from '../db/tables.ts'
import { toolOf } from './tools/tool-of.ts'
import { AppError } from '../kernel/app-error.ts'
import { readable } from '../kernel/readable.ts'
import {
  fromColumns,
  transformationOf,
  validationOf,
  webSocketOf,
} from '../features/endpoints/endpoint-columns.ts'

/** Undefined where the row can't be served: a worker would refuse the whole snapshot for it. */
export function toSnapshotEndpoint(row: Row<'endpoint'>): SnapshotEndpoint | undefined {
  const definition = fromColumns(row)
  const { method_type, status, summery, authentication, enable_custom_output, ...others } =
    definition
  const { description: _d, auth_type: _a, custom_output, static_headers, ...named } = others
  const {
    agent_offer: _o,
    tool_name: _n,
    tool_description: _t,
    agent_release_hours: _h,
    ...same
  } = named
  const method = wireMethods[method_type]
  const effect = chosenEffect(row.run_settings)
  const { mock, ...parts } = publishedParts(row)
  const parsed = snapshotEndpoint.safeParse({
    // A field that the gateway does not know by this name does not compile: name it above.
    ...(same satisfies Pick<SnapshotEndpoint, keyof typeof same>),
    id: row.id,
    name: summery,
    method,
    is_active: status === 'active',
    requires_token: authentication,
    custom_output: enable_custom_output ? custom_output : mock,
    static_headers: static_headers ?? null,
    ...parts,
    // Agents do not find one that can't be read.
    tool: readable(() => toolOf(row)) ?? null,
    is_read_only: effect === 'read',
    is_repeatable: effect !== undefined && effectOf({ effect }, method) !== 'submit',
  } satisfies Record<keyof SnapshotEndpoint, unknown>)
  return parsed.success && pathProblem(parsed.data.path) === undefined ? parsed.data : undefined
}

/** False, which no gateway takes, where they can't be read: a request must not pass unchecked or unchanged. */
function publishedParts(row: Row<'endpoint'>) {
  try {
    const validation = validationOf(row)
    return {
      validation: validation?.mode === 'off' ? null : validation,
      /** An example of its answers. Runs do not see it: they call the upstream themselves. */
      mock: validation?.is_mocked ? (exampleOfSchema(validation.answer_schema) ?? null) : null,
      transformation: transformationOf(row),
      web_socket: webSocketOf(row),
    }
  } catch {
    return { validation: false, mock: null, transformation: false, web_socket: null }
  }
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

/** The same for a stored row. Throws `api.unreadable` where it can't be served. */
export function servedStored(row: Row<'endpoint'>): SnapshotEndpoint {
  const served = toSnapshotEndpoint(row)
  if (!served) throw new AppError('api.unreadable')
  return served
}

/** The same for a row that is not stored and has passed every check of a save. With the id 0 it is new. */
export function servedUnsaved(row: Row<'endpoint'>): SnapshotEndpoint {
  const served = toSnapshotEndpoint(row.id === 0 ? { ...row, id: 1 } : row)
  if (!served) throw new Error('What passes the checks of a save can be served.')
  return { ...served, id: row.id }
}
