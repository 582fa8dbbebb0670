import type { AccessChange, BulkAnswer, EndpointPage } from '@gatehouse/contract'
import type { ListQuery } from '../../db/listing.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor, Caller } from '../../kernel/caller.ts'
import type { InTransaction } from '../../stores.ts'
import { auditedAccess, auditedPart, existingRole } from './audited-access.ts'
import { planAccess, toAccessEndpoint, type WantedAccess } from './change-of-access.ts'
import type { ChoiceQuery } from './access-choices-store.ts'
import { grantEndpoints, type EndpointsChosen, type LockedFor } from './grant-access.ts'

/** How many of a role's endpoints a form shows without being asked for more. */
const shownMax = 30

interface FormQuery extends EndpointPage {
  endpoints: 'all' | 'selected' | 'few'
}

export interface AccessServiceOptions {
  inTransaction: InTransaction
  lockedFor: LockedFor
}

/** Access decides which endpoints and workflows a role may call. It is independent of permissions. */
export class AccessService {
  readonly #options: AccessServiceOptions

  constructor(options: AccessServiceOptions) {
    this.#options = options
  }

  list(query: ListQuery) {
    return this.#options.inTransaction(({ access }) => access.list(query))
  }

  /** `selected`: none of the others; `few`: and of the role's the first alone. With a limit, one page of each list. */
  form(roleId: number, { endpoints: which, ...page }: FormQuery, caller: Caller) {
    return this.#options.inTransaction(async (stores) => {
      const { access, workflowAccess } = stores
      const role = await existingRole(stores, roleId)
      const selected = await access.pageOfEndpoints(
        roleId,
        which === 'few' ? { page: 1, limit: shownMax } : page,
      )
      const endpoints = which === 'all' ? await access.pageOfEndpoints(undefined, page) : []
      return {
        role: { id: role.id, name: role.name },
        version: role.access_version,
        endpoints: endpoints.map(toAccessEndpoint),
        selected: selected.map(toAccessEndpoint),
        selected_count: await access.countEndpointsOf(roleId),
        workflows: await workflowAccess.list(),
        selected_workflows: await workflowAccess.listOf(roleId),
        locked: this.#options.lockedFor(await access.reachOf(caller), role) ?? null,
      }
    })
  }

  apis(roleId: number, search: string) {
    return this.#options.inTransaction(async (stores) => {
      await existingRole(stores, roleId)
      const { access } = stores
      const apis = await access.listApis(roleId, search)
      return { apis, endpoints_count: await access.countEndpoints() }
    })
  }

  choices(roleId: number, query: ChoiceQuery) {
    return this.#options.inTransaction(async (stores) => {
      await existingRole(stores, roleId)
      const { endpoints, total, apis } = await stores.access.listChoices(roleId, query)
      const choices = endpoints.map((each) => ({
        ...toAccessEndpoint(each),
        is_held: Boolean(each.is_held),
      }))
      return { endpoints: choices, total, apis }
    })
  }

  async preview(roleId: number, wanted: WantedAccess): Promise<AccessChange> {
    const { inTransaction } = this.#options
    return (await inTransaction((stores) => planAccess(stores, roleId, wanted))).change
  }

  /** Saves over the version that the form was loaded with; over any where it names none. */
  update(
    roleId: number,
    { version, ...wanted }: WantedAccess & { version?: number | undefined },
    actor: Actor,
  ): Promise<AccessChange> {
    return this.#options.inTransaction(async (stores) => {
      const role = await existingRole(stores, roleId)
      const locked = this.#options.lockedFor(await stores.access.reachOf(actor.caller), role)
      if (locked) throw new AppError('permission.denied', { message: locked })
      const { opened, closed, change } = await planAccess(stores, roleId, wanted)
      if (!(await stores.access.raiseVersion(roleId, version ?? role.access_version))) {
        throw new AppError('record.changed')
      }
      const part = await auditedPart(stores, roleId, { opened, closed })
      const before = await auditedAccess(stores, roleId, part)
      await stores.access.removeEndpoints(roleId, closed)
      await stores.access.addEndpoints(roleId, opened)
      if (wanted.workflows) await stores.workflowAccess.set(roleId, wanted.workflows)
      await stores.audit.record(actor, {
        action: 'access.update',
        thing: 'access',
        id: roleId,
        name: role.name,
        before,
        after: await auditedAccess(stores, roleId, part),
      })
      await stores.revisions.bump()
      return change
    }, actor.caller)
  }

  /** Gives the role access to these endpoints too; each says whether it was new. */
  grant(roleId: number, chosen: EndpointsChosen, actor: Actor): Promise<BulkAnswer> {
    const { inTransaction, lockedFor } = this.#options
    return inTransaction(
      (stores) => grantEndpoints(stores, { roleId, chosen }, actor, lockedFor),
      actor.caller,
    )
  }
}
