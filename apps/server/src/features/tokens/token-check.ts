import type { SessionUser } from '@gatehouse/contract'
import { allOf } from '../../db/all-of.ts'
import { AppError } from '../../kernel/app-error.ts'
import { isSuperAdmin, refuseWithout, type Caller, type TokenCall } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'
import { hashPersonalToken, isPersonalToken } from './personal-token.ts'
import { refuseBeyondLimits } from './token-call.ts'

type TokenStores = Pick<Stores, 'tokens' | 'users' | 'workflows'>

/** Last use is written at most this often, so that most calls of a machine write nothing of their own. */
const touchEveryMs = 60_000

/** The session feature describes users: a user who can't change until the end of a transaction. */
export type HoldUser = (
  users: Stores['users'],
  id: number,
  isSuperAdmin: boolean,
) => Promise<SessionUser | undefined>

interface TokenCheckOptions {
  clock: Clock
  holdUser: HoldUser
}

/**
 * Whether a personal token lets its user call the routes that open to tokens (spec: machine-calls).
 * Users who can't sign in may hold tokens.
 */
export class TokenCheck {
  readonly #options: TokenCheckOptions
  /** By the token's id: of many calls at once, one writes the last use. */
  readonly #touchedMs = new Map<number, number>()

  constructor(options: TokenCheckOptions) {
    this.#options = options
  }

  /**
   * Who holds this token; undefined when it is unknown, revoked or expired. Text that is not in the
   * format of our tokens costs no look-up. Tokens are found by their hash, so the time that it takes
   * does not show how much of a guess is right. Throws a 403 where the token was not made for this call;
   * without one its limits are left to the caller of this.
   */
  async authenticate(
    stores: TokenStores,
    token: string,
    call?: TokenCall,
  ): Promise<Caller | undefined> {
    if (!isPersonalToken(token)) return undefined
    const { tokens, users } = stores
    const now = this.#options.clock.now()
    const row = await tokens.findValid(hashPersonalToken(token), now.toISOString())
    const user = row && (await this.#options.holdUser(users, row.user_id, false))
    if (!user) return undefined
    await this.#touch(tokens, row, now)
    if (call) await refuseBeyondLimits(stores, row.limits, call)
    return {
      user,
      tokenId: row.id,
      ...(call ? { tokenCall: call } : {}),
      isSuperAdmin: isSuperAdmin(user),
    }
  }

  /**
   * Judges a caller again who was let in before. Throws a 401 when the token was revoked, has expired
   * or lost its user, and a 403 when the token or its user no longer opens the call. Brings `caller` up to
   * date. Inside a transaction, what was found stays true until its end.
   */
  async again(stores: TokenStores, caller: Caller): Promise<void> {
    const { tokens, users } = stores
    const now = this.#options.clock.now().toISOString()
    const { id } = caller.user
    const [token, user] = await allOf([
      tokens.holdValid(caller.tokenId ?? 0, now),
      this.#options.holdUser(users, id, caller.isSuperAdmin),
    ])
    if (!user || token?.user_id !== id) throw new AppError('session.unauthenticated')
    Object.assign(caller, { user, isSuperAdmin: isSuperAdmin(user) } satisfies Partial<Caller>)
    refuseWithout(caller, caller.access ?? 'session')
    if (caller.tokenCall) await refuseBeyondLimits(stores, token.limits, caller.tokenCall)
  }

  async #touch(
    tokens: Stores['tokens'],
    { id, last_used_at }: { id: number; last_used_at: string | null },
    now: Date,
  ): Promise<void> {
    const nowMs = now.getTime()
    const lastMs = Math.max(
      this.#touchedMs.get(id) ?? -Infinity,
      last_used_at === null ? -Infinity : Date.parse(last_used_at),
    )
    if (nowMs - lastMs <= touchEveryMs) return
    this.#touchedMs.set(id, nowMs)
    await tokens.touch([id], now.toISOString())
  }
}
