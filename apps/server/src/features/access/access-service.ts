import type { AccessChange, AccessEndpoint, AccessWorkflow, BulkOutcome } from '@gatehouse/contract'
import type { ListQuery } from '../../db/listing.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor, Caller } from '../../kernel/caller.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { auditedAccess, existingRole, type EndpointSummary } from './audited-access.ts'
import { grantEndpoints, type LockedFor } from './grant-access.ts'

/** What a role is to call. Without `workflows` it keeps those that it has. */
interface WantedAccess {
  endpoints: readonly number[]
  workflows?: readonly number[] | undefined
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

  form(roleId: number, caller: Caller) {
    return this.#options.inTransaction(async (stores) => {
      const role = await existingRole(stores, roleId)
      return {
        role: { id: role.id, name: role.name },
        version: role.access_version,
        endpoints: (await stores.access.listEndpoints()).map(toAccessEndpoint),
        selected: (await stores.access.listEndpointsOf(roleId)).map(toAccessEndpoint),
        workflows: await stores.workflowAccess.list(),
        selected_workflows: await stores.workflowAccess.listOf(roleId),
        locked: this.#options.lockedFor(await stores.access.reachOf(caller), role) ?? null,
      }
    })
  }

  preview(roleId: number, wanted: WantedAccess): Promise<AccessChange> {
    return this.#options.inTransaction((stores) => changeOf(stores, roleId, wanted))
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
      const change = await changeOf(stores, roleId, wanted)
      if (!(await stores.access.raiseVersion(roleId, version ?? role.access_version))) {
        throw new AppError('record.changed')
      }
      const before = await auditedAccess(stores, roleId)
      await stores.access.setEndpoints(roleId, wanted.endpoints)
      if (wanted.workflows) await stores.workflowAccess.set(roleId, wanted.workflows)
      await stores.audit.record(actor, {
        action: 'access.update',
        thing: 'access',
        id: roleId,
        name: role.name,
        before,
        after: await auditedAccess(stores, roleId),
      })
      await stores.revisions.bump()
      return change
    }, actor.caller)
  }

  /** Gives the role access to these endpoints too; each says whether it was new. */
  grant(roleId: number, endpointIds: readonly number[], actor: Actor): Promise<BulkOutcome[]> {
    const { inTransaction, lockedFor } = this.#options
    return inTransaction(
      (stores) => grantEndpoints(stores, { roleId, endpointIds }, actor, lockedFor),
      actor.caller,
    )
  }
}

async function changeOf(
  stores: Stores,
  roleId: number,
  { endpoints, workflows }: WantedAccess,
): Promise<AccessChange> {
  await existingRole(stores, roleId)
  const { access, workflowAccess } = stores
  const changed = differenceOf(
    (await access.listEndpoints()).map(toAccessEndpoint),
    (await access.listEndpointsOf(roleId)).map(({ id }) => id),
    endpoints,
  )
  const held = (await workflowAccess.listOf(roleId)).map(({ id }) => id)
  const changedWorkflows = differenceOf<AccessWorkflow>(
    await workflowAccess.list(),
    held,
    workflows ?? held,
  )
  if (!changed || !changedWorkflows) {
    throw fieldError({
      ...(changed ? {} : { endpoints: ['Choose endpoints from the list.'] }),
      ...(changedWorkflows ? {} : { workflows: ['Choose workflows from the list.'] }),
    })
  }
  return {
    ...changed,
    opened_workflows: changedWorkflows.opened,
    closed_workflows: changedWorkflows.closed,
    users_count: await stores.roles.countUsers(roleId),
  }
}

/** What is opened and closed; undefined where something wanted is not in the list. */
function differenceOf<T extends { id: number }>(
  list: readonly T[],
  heldIds: readonly number[],
  wantedIds: readonly number[],
): { opened: T[]; closed: T[] } | undefined {
  const all = new Map(list.map((each) => [each.id, each]))
  if (wantedIds.some((id) => !all.has(id))) return undefined
  const held = new Set(heldIds)
  const wanted = new Set(wantedIds)
  const pick = (ids: ReadonlySet<number>) => [...ids].map((id) => all.get(id)!)
  return { opened: pick(wanted.difference(held)), closed: pick(held.difference(wanted)) }
}

export function toAccessEndpoint(endpoint: EndpointSummary): AccessEndpoint {
  const { id, description, summary, method_type, path, api } = endpoint
  return { id, description, summery: summary, method_type, path, api }
}
