import { gatewayClientId, type NewUser, type UserChange } from '@gatehouse/contract'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { ListQuery } from '../../db/listing.ts'
import { AppError } from '../../kernel/app-error.ts'
import { beyondReach, refuseBeyondReach, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refuseGuessablePassword } from '../../kernel/passwords/guessable-password.ts'
import { hashPassword } from '../../kernel/passwords/password-hash.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { cutOff } from './cut-off.ts'
import {
  chosenRoles,
  emailTaken,
  existing,
  idsOf,
  isOwnSignInChange,
  refuseChange,
  refuseLosingSuperAdmin,
  refuseTaken,
  refuseUnreachableUser,
  sameIds,
  usernameTaken,
} from './user-checks.ts'
import { withNames } from './invited-names.ts'
import type { UserWithRoles } from './user-store.ts'

interface SentInvitation {
  link: string | null
  mailProblem: string | null
}

const nothingSent: SentInvitation = { link: null, mailProblem: null }

/** Makes a new user a link by which they choose their password. */
interface Invitations {
  /** Whether the link goes out by e-mail; else it is returned. */
  goesByMail: boolean
  /** Throws a 429 where too many were sent to this address, or by this user. */
  count(stores: Stores, emailKey: string, actor: Actor): Promise<void>
  /** The link where no e-mail took it, or why the mail server refused; both null: it went out. */
  sendFirst(userId: number, actor: Actor): Promise<SentInvitation>
}

/** Checks the caller's current password: returns its hash, or throws a 422 or 429. */
type ConfirmOwn = (current: string, actor: Actor) => Promise<string>

export interface UserServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  confirmOwn: ConfirmOwn
  invitations: Invitations
}

/** A user, and until when their invitation counts, which may be over; null: there is none. */
export type ListedUser = UserWithRoles & { invitedUntil: string | null }

export class UserService {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock
  readonly #confirmOwn: ConfirmOwn
  readonly #invitations: Invitations

  constructor({ inTransaction, clock, confirmOwn, invitations }: UserServiceOptions) {
    this.#inTransaction = inTransaction
    this.#clock = clock
    this.#confirmOwn = confirmOwn
    this.#invitations = invitations
  }

  get sendsInvitations(): boolean {
    return this.#invitations.goesByMail
  }

  list(query: ListQuery) {
    return this.#inTransaction(async ({ users, passwordLinks }) => {
      const { rows, total } = await users.list(query)
      const until = await passwordLinks.invitedUntil(rows)
      return {
        rows: rows.map((user) => ({ ...user, invitedUntil: until.get(user.id) ?? null })),
        total,
      }
    })
  }

  /** With since when their sign-in asks for a second factor, or null, their passkeys and tokens for programs. */
  get(id: number) {
    return this.#inTransaction(async (stores) => {
      const user = await existing(stores, id)
      const factor = await stores.secondFactors.find(id)
      const tokens = await stores.adminTokens.listOf(id)
      const until = await stores.passwordLinks.invitedUntil([user])
      return {
        ...user,
        invitedUntil: until.get(id) ?? null,
        secondFactorSince: factor?.confirmed_at ?? null,
        passkeysCount: await stores.passkeys.countOf(id),
        adminTokensCount: tokens.length,
      }
    })
  }

  /** Throws a 403 where the user holds more than the caller. */
  async refuseUnreachable(stores: Stores, caller: Caller, id: number): Promise<void> {
    const reach = await stores.access.reachOf(caller)
    await refuseUnreachableUser(stores, reach, await existing(stores, id))
  }

  /** The roles that the caller may give to others. */
  async listGrantableRoles(caller: Caller) {
    return this.#inTransaction(async (stores) => {
      const reach = await stores.access.reachOf(caller)
      const roles = await stores.roles.listWithPermissions()
      return roles.filter((role) => beyondReach(reach, role) === undefined)
    })
  }

  async create(
    input: NewUser,
    actor: Actor,
  ): Promise<{ user: UserWithRoles; invitation: SentInvitation }> {
    if (!input.sends_invitation) await refuseGuessablePassword(input.password, input)
    const password_hash = input.sends_invitation ? null : await hashPassword(input.password)
    const user = await this.#insert(input, password_hash, actor)
    const invitation = input.sends_invitation
      ? await this.#invitations.sendFirst(user.id, actor)
      : nothingSent
    return { user, invitation }
  }

  #insert(given: NewUser, password_hash: string | null, actor: Actor): Promise<UserWithRoles> {
    return this.#save(async (stores) => {
      const input = await withNames(stores, given)
      await refuseTaken(stores, input)
      const roles = await chosenRoles(stores, input.roles)
      refuseBeyondReach(await stores.access.reachOf(actor.caller), roles)
      const columns = columnsOf(input)
      if (input.sends_invitation) await this.#invitations.count(stores, columns.email_key, actor)
      const now = this.#clock.now().toISOString()
      const { id } = await stores.users.insert({
        ...columns,
        ...usernameOf(input),
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

  /** A new password or other roles end the sessions of the user, but not the caller's own. See also `cutOff`. */
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
      await refuseChange(stores, before, { roles, hasPassword: password_hash !== undefined }, actor)
      const now = this.#clock.now().toISOString()
      await stores.users.update(id, input.version ?? before.version, {
        ...columnsOf(input),
        ...(input.username === '' ? {} : usernameOf(input)),
        ...(password_hash ? { password_hash } : {}),
        updated_at: now,
      })
      if (isChanged) await stores.users.setRoles(id, idsOf(roles))
      await refuseLosingSuperAdmin(stores, before)
      if (isChanged || password_hash)
        await stores.sessions.endAllOf(id, now, actor.caller.sessionId)
      const changed = { email: input.email, hasPassword: password_hash !== undefined, at: now }
      await cutOff(stores, before, changed, actor)
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

const columnsOf = ({ name, email }: { name: string; email: string }) => ({
  name,
  email,
  email_key: email.toLowerCase(),
})

const usernameOf = ({ username }: { username: string }) => ({
  username,
  username_key: username.toLowerCase(),
})

const auditedUser = ({ name, email, username, roles }: UserWithRoles) => ({
  name,
  email,
  username,
  roles: roles.map((role) => role.name),
})
