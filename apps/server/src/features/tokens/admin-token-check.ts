import type { Permission } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import { refuseWithout, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'
import { hashPersonalToken, isAdminToken } from './personal-token.ts'
import type { HoldUser } from './token-check.ts'

/** Last use is written at most this often. */
const touchEveryMs = 60_000

interface AdminTokenCheckOptions {
  clock: Clock
  holdUser: HoldUser
}

/**
 * Whether a token for programs lets its user call the admin API. It opens what it was given and its user
 * holds today, never more: its caller is no Super Admin, even where its user is one.
 */
export class AdminTokenCheck {
  readonly #options: AdminTokenCheckOptions

  constructor(options: AdminTokenCheckOptions) {
    this.#options = options
  }

  /** Who holds this token; undefined when it is unknown, revoked or expired. */
  async authenticate(
    { adminTokens, users }: Pick<Stores, 'adminTokens' | 'users'>,
    text: string,
  ): Promise<Caller | undefined> {
    if (!isAdminToken(text)) return undefined
    const now = this.#options.clock.now()
    const token = await adminTokens.findValid(hashPersonalToken(text), now.toISOString())
    const caller = token && (await this.#callerOf(users, token))
    if (!caller) return undefined
    const idleMs = now.getTime() - Date.parse(token.last_used_at ?? '1970-01-01')
    if (idleMs > touchEveryMs) await adminTokens.touch(token.id, now.toISOString())
    return caller
  }

  /**
   * Judges a caller again who was let in before: a 401 when the token was revoked, has expired or lost its
   * user, and a 403 without the permission that the call needs. Brings `caller` up to date. Inside a
   * transaction, what was found stays true until its end.
   */
  async again(
    { adminTokens, users }: Pick<Stores, 'adminTokens' | 'users'>,
    caller: Caller,
  ): Promise<void> {
    const now = this.#options.clock.now().toISOString()
    const token = await adminTokens.holdValid(caller.adminToken?.id ?? 0, now)
    const found = token && (await this.#callerOf(users, token))
    if (!found) throw new AppError('session.unauthenticated')
    Object.assign(caller, found)
    refuseWithout(caller, caller.access ?? 'session')
  }

  async #callerOf(users: Stores['users'], token: Row<'admin_token'>): Promise<Caller | undefined> {
    const user = await this.#options.holdUser(users, token.user_id, false)
    if (!user) return undefined
    const given = new Set(token.permissions.split(' '))
    const permissions = user.permissions.filter((name) => given.has(name)) as Permission[]
    const { id, name } = token
    return { user: { ...user, permissions }, adminToken: { id, name }, isSuperAdmin: false }
  }
}
