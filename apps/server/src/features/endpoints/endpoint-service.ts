import {
  wireMethods,
  type BulkAnswer,
  type EndpointBulkChange,
  type EndpointDefinition,
} from '@gatehouse/contract'
import { isUniqueViolation } from '../../db/dialect.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { asking, refuseWithout, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { nameTools } from '../../publishing/tools/name-tools.ts'
import { audited, changeEndpoints, removeEndpoint } from './change-endpoints.ts'
import { pathKey, toColumns } from './endpoint-columns.ts'
import { listTools } from './endpoint-tools.ts'
import type { EndpointFilter, EndpointStore, EndpointWithApi } from './endpoint-store.ts'
import { refuseUnfitForAskers, refuseUnusableStatusQuery } from './check-run-settings.ts'

interface EndpointServiceOptions {
  endpoints: EndpointStore
  countHolders: (endpointId: number) => Promise<number>
  inTransaction: InTransaction
  clock: Clock
  /** Throws a 422 where a schema of the definition can't be used. Not called within a transaction. */
  checkValidation: (validation: EndpointDefinition['validation']) => Promise<void>
}

export class EndpointService {
  readonly #options: EndpointServiceOptions

  constructor(options: EndpointServiceOptions) {
    this.#options = options
  }

  list(filter: EndpointFilter) {
    return this.#options.endpoints.list(filter)
  }

  listTags() {
    return this.#options.endpoints.countTags()
  }

  /** Those of an API, as tools of agents. */
  listToolsOf(apiId: number) {
    return this.#options.inTransaction((stores) => listTools(stores, apiId))
  }

  async get(id: number): Promise<EndpointWithApi> {
    const endpoint = await this.#options.endpoints.find(id)
    if (!endpoint) throw new AppError('endpoint.not_found')
    return endpoint
  }

  /** Method and path at which the gateway serves it. */
  async getRoute(id: number) {
    const { method_type, path, api_id, api_context } = await this.get(id)
    return { apiId: api_id, method: wireMethods[method_type], path, context: api_context }
  }

  async create(definition: EndpointDefinition, actor: Actor): Promise<EndpointWithApi> {
    await this.#options.checkValidation(definition.validation)
    const now = this.#options.clock.now().toISOString()
    return this.#save(async (stores) => {
      await refuseInvalid(stores, definition)
      const { id } = await stores.endpoints.insert({
        ...toColumns(definition),
        version: 1,
        created_at: now,
        updated_at: now,
      })
      await nameTools(stores, definition.api_id)
      const after = (await stores.endpoints.find(id))!
      await stores.audit.record(actor, {
        action: 'endpoint.create',
        thing: 'endpoint',
        id,
        name: after.summary,
        after: audited(after),
      })
      await stores.revisions.bump()
      return after
    }, actor.caller)
  }

  /** How many roles may call it. */
  countHolders(id: number): Promise<number> {
    return this.#options.countHolders(id)
  }

  /**
   * Saves over the version that the form was loaded with; over any where it names none. A move to
   * another API takes the endpoint from the roles that held it, and says from how many.
   */
  async update(
    id: number,
    definition: EndpointDefinition,
    actor: Actor,
  ): Promise<EndpointWithApi & { rolesCleared: number }> {
    await this.#options.checkValidation(definition.validation)
    return this.#save(async (stores) => {
      const stored = await stores.endpoints.find(id)
      if (!stored) throw new AppError('endpoint.not_found')
      await refuseInvalid(stores, definition, stored)
      await stores.endpoints.update(id, definition.version ?? stored.version, {
        ...toColumns(definition, stored),
        updated_at: this.#options.clock.now().toISOString(),
      })
      await nameTools(stores, definition.api_id)
      const after = (await stores.endpoints.find(id))!
      const isMoved = after.api_id !== stored.api_id
      const rolesCleared = isMoved ? await clearAccess(stores, after, actor) : 0
      await stores.audit.record(actor, {
        action: 'endpoint.update',
        thing: 'endpoint',
        id,
        name: after.summary,
        before: audited(stored),
        after: audited(after),
      })
      await stores.revisions.bump()
      return { ...after, rolesCleared }
    }, actor.caller)
  }

  /** What a save of this would store, checked as a save checks it. Nothing is stored. Id 0: it is new. */
  async getUnsaved(definition: EndpointDefinition, id: number | null, actor: Actor) {
    await this.#options.checkValidation(definition.validation)
    return this.#options.inTransaction(async (stores) => {
      const stored = id === null ? undefined : await stores.endpoints.find(id)
      if (id !== null && !stored) throw new AppError('endpoint.not_found')
      const { version = definition.version ?? 1, created_at = '', updated_at = '' } = stored ?? {}
      if ((definition.version ?? version) !== version) throw new AppError('record.changed')
      const api = await refuseInvalid(stores, definition, stored)
      const own = { id: id ?? 0, version, created_at, updated_at }
      const row = { ...toColumns(definition, stored), ...own }
      const { context: api_context, name: api_name } = api
      return {
        row,
        route: {
          apiId: api.id,
          method: wireMethods[row.method_type],
          path: row.path,
          context: api_context,
        },
        isMoved: stored !== undefined && stored.api_id !== row.api_id,
        shown: audited({ ...row, api_name, api_context }),
      }
    }, actor.caller)
  }

  /** Deletes it as `removeEndpoint` says; the ledger keeps what was sent. */
  async remove(id: number, actor: Actor): Promise<void> {
    await this.#options.inTransaction(async (stores) => {
      const { endpoints, revisions } = stores
      const before = await endpoints.find(id)
      if (!before) throw new AppError('endpoint.not_found')
      await removeEndpoint(stores, before, actor)
      await revisions.bump()
    }, actor.caller)
  }

  /** Each is changed or says why not. Throws where the caller may not do that to any. */
  async change(change: EndpointBulkChange, actor: Actor): Promise<BulkAnswer> {
    const permission = change.action === 'delete' ? 'endpoint.delete' : 'endpoint.edit'
    refuseWithout(actor.caller, permission)
    const now = this.#options.clock.now().toISOString()
    return this.#options.inTransaction(
      (stores) => changeEndpoints(stores, change, actor, now),
      asking(actor, permission).caller,
    )
  }

  async #save<T>(work: (stores: Stores) => Promise<T>, caller: Caller): Promise<T> {
    try {
      return await this.#options.inTransaction(work, caller)
    } catch (error) {
      // Two saves at once may both find a route or a name free; the database accepts one.
      if (isUniqueViolation(error, 'tool_name')) throw toolNameTaken()
      throw isUniqueViolation(error, 'endpoint_route_key') || isUniqueViolation(error, 'path_key')
        ? routeTaken()
        : error
    }
  }
}

/** Access was given to the endpoint of another API: moving it must not take that access along. */
async function clearAccess(
  { access, audit }: Stores,
  { id, summary }: EndpointWithApi,
  actor: Actor,
): Promise<number> {
  const roles = await access.clearEndpoint(id)
  if (roles.length === 0) return 0
  await audit.record(actor, {
    action: 'endpoint.clear_access',
    thing: 'endpoint',
    id,
    name: summary,
    before: { roles },
    after: { roles: [] },
  })
  return roles.length
}

/** Everything that a save asks of a definition beside its contract. Returns its API. */
async function refuseInvalid(
  stores: Stores,
  definition: EndpointDefinition,
  stored?: EndpointWithApi,
) {
  const { endpoints } = stores
  const api = await refuseTakenRoute(stores, definition, stored?.id)
  await refuseTakenToolName(stores, definition.tool_name, stored?.id)
  await refuseUnusableStatusQuery(endpoints, definition.run_settings, stored)
  if (stored) await refuseUnfitForAskers(endpoints, stored.id, definition)
  return api
}

async function refuseTakenRoute(
  { apis, endpoints }: Stores,
  definition: EndpointDefinition,
  ownId?: number,
) {
  const api = await apis.find(definition.api_id)
  if (!api) throw fieldError({ api_id: ['Choose an API from the list.'] })
  const holder = await endpoints.findByRoute(
    definition.api_id,
    definition.method_type,
    pathKey(definition.path),
  )
  if (holder && holder.id !== ownId) throw routeTaken()
  return api
}

async function refuseTakenToolName({ endpoints }: Stores, name: string, ownId?: number) {
  const holder = name === '' ? undefined : await endpoints.findByToolName(name)
  if (holder && holder.id !== ownId) throw toolNameTaken()
}

const toolNameTaken = () =>
  fieldError({ tool_name: ['Another endpoint has this tool name already.'] })

const routeTaken = () =>
  fieldError({ path: ['This API already has an endpoint with this method and path.'] })
