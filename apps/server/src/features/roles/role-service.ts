import { superAdminRole, type RoleDefinition } from '@gatehouse/contract'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { ListQuery } from '../../db/listing.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import {
  asking,
  beyondReach,
  refuseBeyondReach,
  refuseWithout,
  type Actor,
  type Caller,
  type KnownRole,
  type Reach,
} from '../../kernel/caller.ts'
import { hasTwin, lookAlikeMessage, looksLike, twinMessage } from '../../kernel/text/look-alike.ts'
import { savedThing } from '../../kernel/saved/saved-thing.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { addressesColumn, shownAddresses } from './role-addresses.ts'
import type { RoleWithPermissions } from './role-store.ts'

export class RoleService {
  readonly #inTransaction: InTransaction

  constructor(inTransaction: InTransaction) {
    this.#inTransaction = inTransaction
  }

  list(query: ListQuery) {
    return this.#inTransaction(({ roles }) => roles.list(query))
  }

  listPermissions() {
    return this.#inTransaction(({ roles }) => roles.listPermissions())
  }

  /** With the reason why the caller can't change it, or null. */
  get(id: number, caller: Caller) {
    return this.#inTransaction(async (stores) => {
      const role = await existing(stores, id)
      const locked = lockedFor(await stores.access.reachOf(caller), role) ?? null
      return {
        ...role,
        users_count: await stores.roles.countUsers(id),
        locked,
        mayRequireSecondFactor:
          locked === null || isOnlySecondFactor(role, { ...role, allowed_addresses: [] }, caller),
      }
    })
  }

  /**
   * A role to try endpoints with. For who could make a token for any user who has it: nobody tries with more
   * than that.
   */
  toTry(id: number, actor: Actor): Promise<{ id: number; name: string }> {
    const { caller } = asking(actor, 'token.create_any')
    for (const permission of ['token.create', 'token.create_any', 'role.view'] as const)
      refuseWithout(caller, permission)
    return this.#inTransaction(async (stores) => {
      const role = await existing(stores, id)
      refuseBeyondReach(await stores.access.reachOf(caller), [role])
      return role
    }, caller)
  }

  create(definition: RoleDefinition, actor: Actor): Promise<RoleWithPermissions> {
    return this.#save(async (stores) => {
      await refuseTaken(stores, definition.name)
      refuseBeyondReach(await stores.access.reachOf(actor.caller), [definition])
      const { id } = await stores.roles.insert({
        name: definition.name,
        name_key: definition.name.toLowerCase(),
        allowed_addresses: null,
        ...secondFactorOf(definition),
        ...addressesColumn(definition.allowed_addresses),
      })
      await stores.roles.setPermissions(id, definition.permissions)
      return roles.saved(stores, actor, 'create', { id })
    }, actor.caller)
  }

  update(id: number, definition: RoleDefinition, actor: Actor): Promise<RoleWithPermissions> {
    return this.#save(async (stores) => {
      const before = await existing(stores, id)
      if (!isOnlySecondFactor(before, definition, actor.caller)) {
        await refuseChange(stores, before, definition, actor.caller)
        await stores.roles.setPermissions(id, definition.permissions)
      }
      const change = {
        name: definition.name,
        name_key: definition.name.toLowerCase(),
        ...secondFactorOf(definition),
        ...addressesColumn(definition.allowed_addresses),
      }
      await stores.roles.update(id, definition.version ?? before.version, change)
      const saved = await roles.saved(stores, actor, 'update', { id, before })
      if (saved.allowed_addresses !== before.allowed_addresses) await stores.revisions.bump()
      return saved
    }, actor.caller)
  }

  async remove(id: number, actor: Actor): Promise<void> {
    await this.#inTransaction(async (stores) => {
      await stores.roles.lockMembership()
      const role = await existing(stores, id)
      const locked = lockedFor(await stores.access.reachOf(actor.caller), role)
      const users = await stores.roles.countUsers(id)
      if (users > 0) {
        const people = users === 1 ? '1 user has' : `${users} users have`
        throw new AppError('role.in_use', {
          message: `${people} this role. Take it from them first.`,
          isAudited: locked !== undefined,
        })
      }
      if (locked) throw new AppError('permission.denied', { message: locked })
      const kept = { thing: 'role', id, name: role.name, shown: auditedRole(role) } as const
      await stores.deletions.keep(kept, actor)
      await stores.roles.remove(id)
      await roles.record(stores, actor, 'delete', { before: role })
      await stores.revisions.bump()
    }, actor.caller)
  }

  async #save<T>(work: (stores: Stores) => Promise<T>, caller: Caller): Promise<T> {
    try {
      return await this.#inTransaction(work, caller)
    } catch (error) {
      throw isUniqueViolation(error, 'name_key') ? nameTaken() : error
    }
  }
}

/** Super Admin stays as it is, except that its users may have to sign in with a second factor. */
function isOnlySecondFactor(
  before: Definition,
  after: Definition & Pick<RoleDefinition, 'allowed_addresses'>,
  by: Caller,
): boolean {
  const isFromEverywhere = (after.allowed_addresses?.length ?? 0) === 0
  const isSame =
    before.name === after.name &&
    sameNames(before.permissions, after.permissions) &&
    isFromEverywhere
  return by.isSuperAdmin && before.name === superAdminRole && isSame
}

type Definition = Pick<RoleDefinition, 'name' | 'permissions'>

const sameNames = (a: readonly string[], b: readonly string[]) =>
  new Set(a).symmetricDifference(new Set(b)).size === 0

const secondFactorOf = ({ needs_second_factor }: RoleDefinition) =>
  needs_second_factor === undefined
    ? {}
    : { needs_second_factor: needs_second_factor ? (1 as const) : (0 as const) }

async function refuseChange(
  stores: Stores,
  before: RoleWithPermissions,
  definition: RoleDefinition,
  caller: Caller,
): Promise<void> {
  const reach = await stores.access.reachOf(caller)
  const locked = lockedFor(reach, before)
  if (locked) throw new AppError('permission.denied', { message: locked })
  await refuseTaken(stores, definition.name, before)
  refuseBeyondReach(reach, [definition])
}

/** Why the caller can't change this role or its access, or undefined. */
export function lockedFor(reach: Reach, role: KnownRole): string | undefined {
  const { caller } = reach
  if (role.name === superAdminRole)
    return 'Super Admin holds every permission and can’t be changed.'
  if (!caller.isSuperAdmin && caller.user.roles.some(({ id }) => id === role.id)) {
    return 'You have this role yourself. Users can’t change their own role.'
  }
  return beyondReach(reach, role)
}

/** Throws where the caller may not give a role that is there again, or it has a twin by now. */
export async function refuseUngivable(stores: Stores, id: number, caller: Caller): Promise<void> {
  const role = await existing(stores, id)
  const locked = lockedFor(await stores.access.reachOf(caller), role)
  if (locked) throw new AppError('permission.denied', { message: locked })
  if (hasTwin(role.name, await stores.roles.listNames(), id))
    throw fieldError({ name: [twinMessage] })
}

const nameTaken = () => fieldError({ name: ['This name is already in use.'] })

async function refuseTaken(
  { roles }: Stores,
  name: string,
  before?: { id: number; name: string },
): Promise<void> {
  const namesake = await roles.findByName(name)
  if (namesake && namesake.id !== before?.id) throw nameTaken()
  if (looksLike(name, superAdminRole)) throw fieldError({ name: [lookAlikeMessage] })
  // Roles that were made before twins were refused stay as they are.
  if (name !== before?.name && hasTwin(name, await roles.listNames(), before?.id))
    throw fieldError({ name: [twinMessage] })
}

export const auditedRole = ({
  name,
  permissions,
  needs_second_factor,
  ...row
}: RoleWithPermissions) => ({
  name,
  permissions,
  needs_second_factor: needs_second_factor === 1,
  allowed_addresses: shownAddresses(row),
})

const roles = savedThing({
  thing: 'role',
  missing: 'role.not_found',
  find: ({ roles: store }: Stores, id) => store.find(id),
  audited: auditedRole,
})
const { existing } = roles
