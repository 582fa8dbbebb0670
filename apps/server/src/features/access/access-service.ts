import type { AccessChange, AccessEndpoint } from '@gatehouse/contract'
import type { ListQuery } from '../../db/listing.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor, Caller, KnownRole, Reach } from '../../kernel/caller.ts'
import type { InTransaction, Stores } from '../../stores.ts'

type EndpointSummary = Awaited<ReturnType<Stores['access']['listEndpoints']>>[number]

export interface AccessServiceOptions {
  inTransaction: InTransaction
  /** Why the caller can't change this role, or undefined; the roles feature decides. */
  lockedFor: (reach: Reach, role: KnownRole) => string | undefined
}

/** Access decides which endpoints a role may call. It is independent of permissions. */
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
        locked: this.#options.lockedFor(await stores.access.reachOf(caller), role) ?? null,
      }
    })
  }

  preview(roleId: number, endpointIds: readonly number[]): Promise<AccessChange> {
    return this.#options.inTransaction((stores) => changeOf(stores, roleId, endpointIds))
  }

  /** Saves over the version that the form was loaded with; over any where it names none. */
  update(
    roleId: number,
    {
      endpoints: endpointIds,
      version,
    }: { endpoints: readonly number[]; version?: number | undefined },
    actor: Actor,
  ): Promise<AccessChange> {
    return this.#options.inTransaction(async (stores) => {
      const role = await existingRole(stores, roleId)
      const locked = this.#options.lockedFor(await stores.access.reachOf(actor.caller), role)
      if (locked) throw new AppError('permission.denied', { message: locked })
      const change = await changeOf(stores, roleId, endpointIds)
      if (!(await stores.access.raiseVersion(roleId, version ?? role.access_version))) {
        throw new AppError('record.changed')
      }
      const before = await stores.access.listEndpointsOf(roleId)
      await stores.access.setEndpoints(roleId, endpointIds)
      const after = await stores.access.listEndpointsOf(roleId)
      await stores.audit.record(actor, {
        action: 'access.update',
        thing: 'access',
        id: roleId,
        name: role.name,
        before: { endpoints: before.map(nameOf) },
        after: { endpoints: after.map(nameOf) },
      })
      await stores.revisions.bump()
      return change
    }, actor.caller)
  }
}

async function existingRole({ roles }: Stores, id: number) {
  const role = await roles.find(id)
  if (!role) throw new AppError('role.not_found')
  return role
}

async function changeOf(
  stores: Stores,
  roleId: number,
  endpointIds: readonly number[],
): Promise<AccessChange> {
  await existingRole(stores, roleId)
  const all = new Map(
    (await stores.access.listEndpoints()).map((endpoint) => [endpoint.id, endpoint]),
  )
  if (endpointIds.some((id) => !all.has(id)))
    throw fieldError({ endpoints: ['Choose endpoints from the list.'] })
  const held = new Set((await stores.access.listEndpointsOf(roleId)).map(({ id }) => id))
  const wanted = new Set(endpointIds)
  const pick = (ids: Iterable<number>) => [...ids].map((id) => toAccessEndpoint(all.get(id)!))
  return {
    opened: pick(wanted.difference(held)),
    closed: pick(held.difference(wanted)),
    users_count: await stores.roles.countUsers(roleId),
  }
}

export function toAccessEndpoint(endpoint: EndpointSummary): AccessEndpoint {
  const { id, description, summary, method_type, path, api } = endpoint
  return { id, description, summery: summary, method_type, path, api }
}

const nameOf = ({ id, method_type, path, api }: EndpointSummary) =>
  `${api}: ${method_type.toUpperCase()} ${path} (#${id})`
