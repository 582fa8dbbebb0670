import {
  apiDefinition,
  endpointDefinition,
  type ApiDefinition,
  type EndpointDefinition,
  type ImportPreview,
  type importDocument,
  type previewImport,
} from '@gatehouse/contract'
import type { HttpUpstream } from '@gatehouse/upstream'
import type { z } from 'zod'
import type { Row } from '../../db/tables.ts'
import { fieldError } from '../../kernel/app-error.ts'
import { asking, refuseWithout, type Actor, type Caller } from '../../kernel/caller.ts'
import { parseVersion } from '../../kernel/validation.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { ImportedCall } from './imported-document.ts'
import {
  actionOf,
  callersOf,
  givenBy,
  planImport,
  planOf,
  type PlannedApi,
  type PlannedOperation,
} from './plan-import.ts'
import type { DocumentedFields } from './plan-import.ts'
import { presentPlan } from './present-plan.ts'
import { readInThread } from './read-in-thread.ts'
import { readPasted } from './read-pasted.ts'
import { under } from './under-field.ts'

type PreviewRequest = z.output<(typeof previewImport)['body']>
type ImportRequest = z.output<(typeof importDocument)['body']>
type ImportResult = z.output<(typeof importDocument)['response']>

/** Saves within a transaction that has begun, with the checks of the screens. */
interface Savers {
  createApi: (definition: ApiDefinition, actor: Actor) => Promise<Row<'api'>>
  createEndpoint: (definition: EndpointDefinition, actor: Actor) => Promise<{ id: number }>
  updateEndpoint: (id: number, definition: EndpointDefinition, actor: Actor) => Promise<unknown>
}

interface ImportServiceOptions {
  stores: Stores
  inTransaction: InTransaction
  saversIn: (stores: Stores) => Savers
  upstream: HttpUpstream
  /** Throws a 403 or 404 where the caller can't give this role access. */
  grantIn: (
    stores: Stores,
    roleId: number,
    endpointIds: readonly number[],
    actor: Actor,
  ) => Promise<unknown>
  pathKey: (path: string) => string
  documented: (row: Row<'endpoint'>) => DocumentedFields
  /** An endpoint as its form has it. */
  submitted: (row: Row<'endpoint'>) => object
}

export class ImportService {
  readonly #options: ImportServiceOptions

  constructor(options: ImportServiceOptions) {
    this.#options = options
  }

  /** Throws a 422 under `document` where it can't be imported. */
  async preview(
    { document: text, api_urls = {} }: PreviewRequest,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<ImportPreview> {
    const { document, ...asked } = await readPasted(this.#options.upstream, text, caller, signal)
    const urls = new Map(Object.entries(api_urls))
    return presentPlan(document, await planImport(this.#options, document, urls), asked)
  }

  /** See the route. Throws a 422 under the field of the request that was refused. */
  async import(request: ImportRequest, actor: Actor): Promise<ImportResult> {
    const document = await readInThread(request.document)
    const urls = new Map(request.apis.map(({ key, api_url }) => [key, api_url]))
    return this.#options.inTransaction(async (stores) => {
      const planned = await planImport({ ...this.#options, stores }, document, urls)
      const result: ImportResult = { apis: [], endpoints: [] }
      for (const [at, chosen] of request.apis.entries()) {
        const field = `apis.${at}`
        const of = planned.find(({ server }) => server.key === chosen.key)
        if (!of) throw fieldError({ [`${field}.key`]: ['The document has no such server.'] })
        const signIn = request.takes_sign_in ? document.call?.signIn : undefined
        const saving = { savers: this.#options.saversIn(stores), actor, field, signIn }
        await this.#saveApi({
          url: of.url,
          plan: planOf(of, chosen, field),
          chosen,
          result,
          saving,
        })
      }
      await this.#grant(stores, request.roles, result, actor)
      return result
    }, actor.caller)
  }

  /** In the same transaction: an import that gives no access where it was asked for it has made nothing. */
  async #grant(
    stores: Stores,
    roles: readonly number[],
    result: ImportResult,
    actor: Actor,
  ): Promise<void> {
    if (roles.length === 0) return
    refuseWithout(actor.caller, 'api-permission.edit')
    const ids = result.endpoints.map(({ id }) => id)
    for (const role of new Set(roles)) await this.#options.grantIn(stores, role, ids, actor)
    for (const { id } of result.apis) {
      const holders = await stores.access.countHoldersOfApi(id)
      for (const endpoint of result.endpoints.filter(({ api_id }) => api_id === id))
        endpoint.roles_count = holders.get(endpoint.id) ?? 0
    }
  }

  async #saveApi({ url, plan, chosen, result, saving }: SavingApi): Promise<void> {
    const { savers, actor, field } = saving
    const api = await under(field, async () => {
      if (plan.api) return plan.api
      const definition = parseVersion(apiDefinition, {
        ...newApi(chosen.name, url),
        ...(saving.signIn ? { credential: saving.signIn } : {}),
      })
      return savers.createApi(definition, asking(actor, 'api.create'))
    })
    const { id: api_id, name, api_access } = api
    result.apis.push({ id: api_id, name, api_access, action: plan.api ? 'left' : 'create' })
    const keys = new Set(chosen.operations)
    for (const planned of plan.operations.filter(({ key }) => keys.delete(key))) {
      const place = `${field}.operations.${chosen.operations.indexOf(planned.key)}`
      const id = await under(place, () => this.#saveOperation(planned, api_id, saving))
      const { key } = planned
      const made = { id, api_id, key, action: actionOf(planned), ...callersOf(planned, api) }
      result.endpoints.push(made)
    }
    const [unknown] = keys
    if (unknown !== undefined)
      throw fieldError({ [`${field}.operations`]: [`The server has no operation ${unknown}.`] })
  }

  async #saveOperation(planned: PlannedOperation, apiId: number, saving: Saving): Promise<number> {
    const { savers, actor } = saving
    const { endpoint, operation } = planned
    if (!endpoint) {
      const given = givenBy(operation)
      const { method: method_type } = operation
      const made = { ...given, api_id: apiId, method_type, status: 'active', authentication: true }
      const definition = parseVersion(endpointDefinition, made)
      return (await savers.createEndpoint(definition, asking(actor, 'endpoint.create'))).id
    }
    if (planned.changes.length > 0) {
      const { run_settings: _, ...stored } = this.#options.submitted(endpoint) as Record<
        string,
        unknown
      >
      const given = givenBy(operation, this.#options.documented(endpoint))
      const definition = parseVersion(endpointDefinition, { ...stored, ...given })
      await savers.updateEndpoint(endpoint.id, definition, asking(actor, 'endpoint.edit'))
    }
    return endpoint.id
  }
}

interface Saving {
  savers: Savers
  actor: Actor
  /** Of the request: what is saved. */
  field: string
  /** For a new API. */
  signIn: ImportedCall['signIn'] | undefined
}

interface SavingApi {
  url: string
  plan: PlannedApi
  chosen: ImportRequest['apis'][number]
  result: ImportResult
  saving: Saving
}

/** Nobody can call it before a role has access to its endpoints. */
const newApi = (name: string, api_url: string) => ({
  name,
  api_url,
  api_protocol: 'http',
  authentication: true,
  auth_type: 'bearer_token',
  gateway_status: 'active',
  api_access: 'internally',
})
