import {
  answerTimeoutDefaultMs,
  connectTimeoutDefaultMs,
  type EndpointOption,
} from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { EndpointStore, EndpointWithApi } from './endpoint-store.ts'

/** Choice lists show no more than this many; they can be searched, and nobody scrolls further. */
const optionsMax = 1000

export interface CallTargetsOptions {
  endpoints: EndpointStore
  findApi: (id: number) => Promise<Row<'api'> | undefined>
  upstreamTokenOf: (api: Row<'api'>) => string | undefined
}

/** Which endpoints may be called by whom: active ones, by those whose roles have access to them. */
export class CallTargets {
  readonly #options: CallTargetsOptions

  constructor(options: CallTargetsOptions) {
    this.#options = options
  }

  async list(caller: Caller): Promise<EndpointOption[]> {
    const rows = await this.#options.endpoints.listCallable(
      caller.isSuperAdmin ? undefined : roleIds(caller),
      optionsMax,
    )
    return rows.map((row) => ({
      id: row.id,
      summery: row.summary,
      description: row.description,
      method_type: row.method_type,
      path: row.path,
      api: { id: row.api_id, name: row.api_name },
    }))
  }

  async find(endpointId: number, caller: Caller) {
    const { endpoints, findApi, upstreamTokenOf } = this.#options
    const endpoint = await endpoints.find(endpointId)
    const api = endpoint && (await findApi(endpoint.api_id))
    if (!endpoint || !api) return refused('Choose an endpoint from the list.')
    if (!caller.isSuperAdmin && !(await endpoints.hasAccess(endpointId, roleIds(caller)))) {
      return refused('None of your roles has access to this endpoint.')
    }
    if (endpoint.status === 'disabled') return refused('This endpoint is disabled.')
    if (api.gateway_status === 'disabled')
      return refused(`The API of this endpoint (${api.name}) is disabled.`)
    if (api.api_protocol !== 'http' || api.api_url === null) {
      return refused('Stored procedure APIs cannot be called by this version.')
    }
    return {
      ok: true,
      target: toTarget(endpoint, { ...api, api_url: api.api_url }, upstreamTokenOf(api)),
    } as const
  }
}

const refused = (message: string) => ({ ok: false, message }) as const

const roleIds = (caller: Caller) => caller.user.roles.map((role) => role.id)

function toTarget(
  endpoint: EndpointWithApi,
  api: Row<'api'> & { api_url: string },
  upstreamToken: string | undefined,
) {
  return {
    endpointId: endpoint.id,
    name: endpoint.summary,
    method: ({ get: 'GET', post: 'POST', put: 'PUT' } as const)[endpoint.method_type],
    path: endpoint.path,
    baseUrl: api.api_url,
    connectTimeoutMs: api.connect_timeout_ms ?? connectTimeoutDefaultMs,
    answerTimeoutMs: api.answer_timeout_ms ?? answerTimeoutDefaultMs,
    upstreamToken,
  }
}
