import {
  answerTimeoutDefaultMs,
  connectTimeoutDefaultMs,
  effectOf,
  requestFormatOf,
  wireMethods,
  type EndpointOption,
  type EndpointOptionQuery,
  type NamedValue,
  type RunSettings,
} from '@gatehouse/contract'
import type { StoredTls } from '@gatehouse/contract/credential'
import type { CallTarget, Credential } from '@gatehouse/upstream'
import { allOf } from '../../db/all-of.ts'
import { readHeaders } from '../../db/static-headers.ts'
import type { Row } from '../../db/tables.ts'
import type { ReadTogether } from '../../stores.ts'
import { AppError } from '../../kernel/app-error.ts'
import { can, type Caller } from '../../kernel/caller.ts'
import type { EndpointStore, EndpointWithApi } from './endpoint-store.ts'
import { runSettingsOf } from './endpoint-columns.ts'

export interface CallTargetsOptions {
  endpoints: EndpointStore
  /** Whether one of the roles has access to a workflow; undefined where it was deleted. */
  findWorkflowAccess: (
    workflowId: number,
    roleIds: readonly number[],
  ) => Promise<boolean | undefined>
  readTogether: ReadTogether
  callingOf: (api: Row<'api'>) => ApiCalling
  /** Where a stored procedure is called. */
  procedureTargetOf: (api: Row<'api'>, isReadOnlyRequired: boolean) => CallTarget
}

/** Access to this workflow gives the right to send the steps of its runs (spec: machine-calls). */
interface SendRight {
  workflowId: number
}

/** How an API is called, its secrets in clear. */
export interface ApiCalling {
  credential: Credential
  /** For the test base URL; null: the one above is for both. */
  testCredential: Credential | null
  tls: StoredTls | null
  staticHeaders: readonly NamedValue[]
}

/** Which endpoints a user may call: active ones that one of the user's roles has access to. */
export class CallTargets {
  readonly #options: CallTargetsOptions

  constructor(options: CallTargetsOptions) {
    this.#options = options
  }

  async list(caller: Caller, query: EndpointOptionQuery): Promise<EndpointOption[]> {
    const rows = await this.#options.endpoints.listCallable(
      caller.isSuperAdmin ? undefined : roleIds(caller),
      query,
    )
    return rows.map((row) => ({
      id: row.id,
      summery: row.summary,
      description: row.description,
      method_type: row.method_type,
      path: row.path,
      ...storedSettings(row),
      api: { id: row.api_id, name: row.api_name },
    }))
  }

  /** Whether one of the caller's roles has access to the endpoint, or with `right` to the workflow. */
  async mayCall(endpointId: number, caller: Caller, right?: SendRight): Promise<boolean> {
    if (right) return (await this.#refuseWorkflow(right, caller)) === undefined
    return caller.isSuperAdmin || this.#options.endpoints.hasAccess(endpointId, roleIds(caller))
  }

  async #refuseWorkflow(
    { workflowId }: SendRight,
    caller: Caller,
    findAccess = this.#options.findWorkflowAccess,
  ): Promise<string | undefined> {
    const found = await findAccess(workflowId, roleIds(caller))
    if (found === undefined) return 'This workflow was deleted.'
    if (found || can(caller, 'workflow.run')) return undefined
    return 'None of your roles has access to this workflow.'
  }

  /**
   * An endpoint that may be called now. `right`: the steps of a workflow's run are sent by anyone who may
   * run the workflow, with or without access to its endpoints.
   */
  async find(endpointId: number, caller: Caller, right?: SendRight) {
    const found = await this.findAll([endpointId], caller, right)
    return found.get(endpointId) ?? unknown
  }

  /** The same for several endpoints, by their ids. */
  async findAll(endpointIds: readonly number[], caller: Caller, right?: SendRight) {
    const ids = [...new Set(endpointIds)]
    const isOpen = caller.isSuperAdmin || right !== undefined
    const [rows, apis, unfit, accessible] = await this.#options.readTogether((stores) =>
      allOf([
        stores.endpoints.findAll(ids),
        stores.apis.listOfEndpoints(ids),
        right && this.#refuseWorkflow(right, caller, stores.access.findWorkflowAccess),
        isOpen ? ids : stores.endpoints.listAccessible(ids, roleIds(caller)),
      ]),
    )
    const lookup = (id: number) => {
      const endpoint = rows.find((row) => row.id === id)
      const api = endpoint && apis.find((row) => row.id === endpoint.api_id)
      if (!endpoint || !api) return unknown
      if (unfit !== undefined) return refused(unfit)
      if (!accessible.includes(id))
        return refused('None of your roles has access to this endpoint.')
      if (endpoint.status === 'disabled') return refused('This endpoint is disabled.')
      if (api.gateway_status === 'disabled')
        return refused(`The API of this endpoint (${api.name}) is disabled.`)
      return { ok: true, target: this.#toTarget(endpoint, api) } as const
    }
    return new Map(ids.map((id) => [id, lookup(id)]))
  }

  /** How an API signs in; undefined where there is no such API. */
  async credentialOf(apiId: number): Promise<Credential | undefined> {
    const api = await this.#options.readTogether(({ apis }) => apis.find(apiId))
    return api && this.#options.callingOf(api).credential
  }

  #toTarget(endpoint: EndpointWithApi, api: Row<'api'>) {
    const settings = runSettingsOf(endpoint)
    const isGet = endpoint.method_type === 'get' || endpoint.method_type === 'head'
    const isDeclaredRequired = isGet && settings.effect !== 'read'
    const { credential, testCredential, tls, staticHeaders } = this.#options.callingOf(api)
    const base = { apiId: api.id, which: 'live' as const, credential }
    const test = testCredential && { ...base, which: 'test' as const, credential: testCredential }
    const http = (baseUrl: string) => ({ kind: 'http' as const, baseUrl, tls })
    return {
      endpointId: endpoint.id,
      name: endpoint.summary,
      method: wireMethods[endpoint.method_type],
      path: endpoint.path,
      register: api.document_register,
      destination: {
        ...base,
        target:
          api.api_protocol === 'stored_procedure'
            ? this.#options.procedureTargetOf(api, isDeclaredRequired)
            : http(api.api_url ?? ''),
      },
      testDestination:
        api.test_api_url === null
          ? undefined
          : { ...(test ?? base), target: http(api.test_api_url) },
      connectTimeoutMs: api.connect_timeout_ms ?? connectTimeoutDefaultMs,
      answerTimeoutMs:
        endpoint.answer_timeout_ms ?? api.answer_timeout_ms ?? answerTimeoutDefaultMs,
      settings,
      staticHeaders: [...staticHeaders, ...headersOf(endpoint)],
    }
  }
}

/** Reads two settings alone: lists hold a thousand endpoints. */
function storedSettings({ run_settings, method_type }: EndpointWithApi) {
  const stored = JSON.parse(run_settings ?? '{}') as Partial<RunSettings>
  const { effect = '', content_type = '' } = stored
  const method = wireMethods[method_type]
  return {
    effect: effectOf({ effect }, method),
    text_content_type: requestFormatOf(method, content_type) === 'json' ? null : content_type,
  }
}

/** They come last, and win over the API's of the same name. */
function headersOf({ static_headers }: EndpointWithApi): NamedValue[] {
  const headers = readHeaders(static_headers)
  if (headers === undefined) throw new AppError('api.unreadable')
  return headers
}

const refused = (message: string) => ({ ok: false, message }) as const
const unknown = refused('Choose an endpoint from the list.')

const roleIds = (caller: Caller) => caller.user.roles.map((role) => role.id)
