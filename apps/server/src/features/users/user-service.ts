import { gatewayClientId, superAdminRole, type NewUser, type UserChange } from '@gatehouse/contract'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { ListQuery } from '../../db/listing.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import {
  beyondReach,
  refuseBeyondReach,
  type Actor,
  type Caller,
  type Reach,
} from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refuseGuessablePassword } from '../../kernel/guessable-password.ts'
import { lookAlikeMessage, looksLike } from '../../kernel/look-alike.ts'
import { hashPassword } from '../../kernel/password-hash.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { UserWithRoles } from './user-store.ts'

/** Checks the caller's current password: returns its hash, or throws a 422 or 429. */
export type ConfirmOwn = (current: string, actor: Actor) => Promise<string>

export class UserService {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock
  readonly #confirmOwn: ConfirmOwn

  constructor(inTransaction: InTransaction, clock: Clock, confirmOwn: ConfirmOwn) {
    this.#inTransaction = inTransaction
    this.#clock = clock
    this.#confirmOwn = confirmOwn
  }

  list(query: ListQuery) {
    return this.#inTransaction(({ users }) => users.list(query))
  }

  get(id: number): Promise<UserWithRoles> {
    return this.#inTransaction((stores) => existing(stores, id))
  }

  /** The roles that the caller may give to others. */
  async listGrantableRoles(caller: Caller) {
    return this.#inTransaction(async (stores) => {
      const reach = await stores.access.reachOf(caller)
      const roles = await stores.roles.listWithPermissions()
      return roles.filter((role) => beyondReach(reach, role) === undefined)
    })
  }

  async create(input: NewUser, actor: Actor): Promise<UserWithRoles> {
    await refuseGuessablePassword(input.password, input)
    const password_hash = await hashPassword(input.password)
    return this.#save(async (stores) => {
      await refuseTaken(stores, input)
      const roles = await chosenRoles(stores, input.roles)
      refuseBeyondReach(await stores.access.reachOf(actor.caller), roles)
      const now = this.#clock.now().toISOString()
      const { id } = await stores.users.insert({
        ...columnsOf(input),
        username: input.username,
        username_key: input.username.toLowerCase(),
        password_hash,
        created_at: now,
        updated_at: now,
      })
      await stores.users.setRoles(id, idsOf(roles))
      const user = await existing(stores, id)
      await stores.audit.record(actor, {
        action: 'user.create',
        thing: 'user',
        id,
        name: user.name,
        after: auditedUser(user),
      })
      return user
    }, actor.caller)
  }

  /** A new password or other roles end the sessions of the user, but not the caller's own. */
  async update(id: number, input: UserChange, actor: Actor): Promise<UserWithRoles> {
    const confirmed = await this.#confirmedFor(id, input, actor)
    if (input.password !== '') await refuseGuessablePassword(input.password, input)
    const password_hash = input.password === '' ? undefined : await hashPassword(input.password)
    return this.#save(async (stores) => {
      await stores.roles.lockMembership()
      const before = await existing(stores, id)
      await refuseTaken(stores, input, id)
      const roles = await chosenRoles(stores, input.roles)
      const isChanged = !sameIds(roles, before.roles)
      if (isChanged && id === actor.caller.user.id) {
        throw new AppError('permission.denied', {
          message: 'You can’t change your own roles. Ask another administrator.',
        })
      }
      if (isOwnSignInChange(before, input, actor) && confirmed !== before.password_hash)
        throw new AppError('record.changed')
      if (
        id === gatewayClientId &&
        (password_hash ||
          roles.some((role) => role.name === superAdminRole || role.permissions.length > 0))
      ) {
        throw new AppError('user.gateway_client', { isAudited: true })
      }
      // A user who could set the password of a more powerful account would have its power.
      const reach = await stores.access.reachOf(actor.caller)
      await refuseUnreachableUser(stores, reach, before)
      refuseBeyondReach(reach, roles)
      const now = this.#clock.now().toISOString()
      const username =
        input.username === ''
          ? {}
          : { username: input.username, username_key: input.username.toLowerCase() }
      const updated = await stores.users.update(id, input.version ?? before.version, {
        ...columnsOf(input),
        ...username,
        ...(password_hash ? { password_hash } : {}),
        updated_at: now,
      })
      if (!updated) throw new AppError('record.changed')
      if (isChanged) await stores.users.setRoles(id, idsOf(roles))
      await refuseLosingSuperAdmin(stores, before)
      if (isChanged || password_hash)
        await stores.sessions.endAllOf(id, now, actor.caller.sessionId)
      const user = await existing(stores, id)
      await stores.audit.record(actor, {
        action: password_hash ? 'user.password' : 'user.update',
        thing: 'user',
        id,
        name: user.name,
        before: auditedUser(before),
        after: auditedUser(user),
      })
      if (isChanged) await stores.revisions.bump()
      return user
    }, actor.caller)
  }

  async remove(id: number, actor: Actor): Promise<void> {
    await this.#inTransaction(async (stores) => {
      await stores.roles.lockMembership()
      const user = await existing(stores, id)
      if (id === gatewayClientId) throw new AppError('user.gateway_client')
      if (id === actor.caller.user.id)
        throw new AppError('user.self', { message: 'You can’t delete your own account.' })
      await refuseUnreachableUser(stores, await stores.access.reachOf(actor.caller), user)
      await stores.users.remove(id)
      await refuseLosingSuperAdmin(stores, user)
      await stores.audit.record(actor, {
        action: 'user.delete',
        thing: 'user',
        id,
        name: user.name,
        before: auditedUser(user),
      })
      await stores.revisions.bump()
    }, actor.caller)
  }

  /** Takes one role from one user; the list of API access offers it. */
  async removeRole(userId: number, roleId: number, actor: Actor): Promise<void> {
    await this.#inTransaction(async (stores) => {
      await stores.roles.lockMembership()
      const user = await existing(stores, userId)
      const role = await stores.roles.find(roleId)
      if (!role || !user.roles.some(({ id }) => id === roleId)) throw new AppError('user.not_found')
      if (userId === actor.caller.user.id) {
        throw new AppError('user.self', {
          message: 'You can’t take a role from yourself. Ask another administrator.',
          isAudited: true,
        })
      }
      await refuseUnreachableUser(stores, await stores.access.reachOf(actor.caller), user)
      await stores.users.removeRole(userId, roleId)
      await refuseLosingSuperAdmin(stores, user)
      await stores.sessions.endAllOf(userId, this.#clock.now().toISOString())
      await stores.audit.record(actor, {
        action: 'user.update',
        thing: 'user',
        id: userId,
        name: user.name,
        before: auditedUser(user),
        after: auditedUser(await existing(stores, userId)),
      })
      await stores.revisions.bump()
    }, actor.caller)
  }

  /** The hash of the caller's current password, where this change of theirs needs it. */
  async #confirmedFor(id: number, input: UserChange, actor: Actor): Promise<string | undefined> {
    if (id !== actor.caller.user.id) return undefined
    const isNeeded = await this.#inTransaction(async (stores) => {
      const before = await existing(stores, id)
      // A change of one's own roles is refused without asking for the password.
      const keepsRoles = sameIds(await chosenRoles(stores, input.roles), before.roles)
      return keepsRoles && isOwnSignInChange(before, input, actor)
    })
    if (!isNeeded) return undefined
    return this.#confirmOwn(input.current_password, actor)
  }

  async #save<T>(work: (stores: Stores) => Promise<T>, caller: Caller): Promise<T> {
    try {
      return await this.#inTransaction(work, caller)
    } catch (error) {
      // Two saves at once may both find a value free; the database accepts one.
      if (isUniqueViolation(error, 'email_key')) throw emailTaken()
      if (isUniqueViolation(error, 'username_key')) throw usernameTaken()
      throw error
    }
  }
}

async function existing({ users }: Stores, id: number): Promise<UserWithRoles> {
  const user = await users.findWithRoles(id)
  if (!user) throw new AppError('user.not_found')
  return user
}

const emailTaken = () => fieldError({ email: ['This email is already in use.'] })
const usernameTaken = () => fieldError({ username: ['This username is already in use.'] })

async function refuseTaken(
  { users }: Stores,
  input: { name: string; email: string; username: string },
  ownId?: number,
) {
  const byEmail = await users.findByEmail(input.email)
  const byUsername = input.username === '' ? undefined : await users.findByUsername(input.username)
  const fields = {
    ...(byEmail && byEmail.id !== ownId ? emailTaken().details.fields : {}),
    ...(byUsername && byUsername.id !== ownId ? usernameTaken().details.fields : {}),
    ...(looksLike(input.name, superAdminRole) ? { name: [lookAlikeMessage] } : {}),
  }
  if (Object.keys(fields).length > 0) throw fieldError(fields)
}

// wire: roles come as ids or, from other clients, as names.
async function chosenRoles({ roles }: Stores, choices: readonly string[]) {
  const all = await roles.listWithPermissions()
  return choices.map((choice) => {
    const role = all.find(({ id, name }) => String(id) === choice || name === choice)
    if (!role) throw fieldError({ roles: ['Choose roles from the list.'] })
    return role
  })
}

const idsOf = (roles: readonly { id: number }[]) => roles.map(({ id }) => id)

const sameIds = (a: readonly { id: number }[], b: readonly { id: number }[]) =>
  a.length === b.length && a.every(({ id }) => b.some((other) => other.id === id))

async function refuseUnreachableUser(
  { roles }: Stores,
  reach: Reach,
  user: UserWithRoles,
): Promise<void> {
  refuseBeyondReach(reach, await roles.findAll(user.roles.map(({ id }) => id)))
}

/** A change of the caller's own sign-in: a person who finds a session open must not take over the account. */
const isOwnSignInChange = (before: UserWithRoles, input: UserChange, { caller }: Actor) =>
  before.id === caller.user.id && (input.password !== '' || input.email !== before.email)

/** Called after the change: throws, which undoes the change, when no Super Admin is left. */
async function refuseLosingSuperAdmin({ users }: Stores, before: UserWithRoles): Promise<void> {
  const wasOne = before.roles.some(({ name }) => name === superAdminRole)
  if (wasOne && (await users.countMembers(superAdminRole)) === 0)
    throw new AppError('user.last_super_admin')
}

const columnsOf = ({ name, email }: { name: string; email: string }) => ({
  name,
  email,
  email_key: email.toLowerCase(),
})

const auditedUser = ({ name, email, username, roles }: UserWithRoles) => ({
  name,
  email,
  username,
  roles: roles.map((role) => role.name),
})
