import { superAdminRole, type TokenLimits, type tokenChoices } from '@gatehouse/contract'
import type { z } from 'zod'
import { AppError } from '../../kernel/app-error.ts'
import { can, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { readLimits, storedLimits } from '../../kernel/stored-limits.ts'
import { refuseForUser, refusePowerful, visibleToken } from './token-reach.ts'
import { choicesOf, namedBy, refuseUnknown } from './token-scope.ts'
import type { TokenWithUser } from './token-store.ts'

export interface TokenWithLimits {
  record: TokenWithUser
  limits: TokenLimits
  named: Awaited<ReturnType<typeof namedBy>>
  usage: { today: number; this_month: number }
  canChange: boolean
}

/** What tokens are limited to beside the roles of their users. Who may make a token may limit it, and back. */
export class TokenLimitService {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock

  constructor(inTransaction: InTransaction, clock: Clock) {
    this.#inTransaction = inTransaction
    this.#clock = clock
  }

  /** Throws a 404 where the caller may not see the token. */
  show(id: number, caller: Caller): Promise<TokenWithLimits> {
    return this.#inTransaction(async (stores) =>
      this.#withLimits(stores, await visibleToken(stores, id, caller), caller),
    )
  }

  /** Throws a 403 where the caller could not make this token, and a 409 where another user has changed it. */
  limit(
    id: number,
    { limits, version }: { limits: TokenLimits; version?: number | undefined },
    actor: Actor,
  ): Promise<TokenWithLimits> {
    const { caller } = actor
    return this.#inTransaction(async (stores) => {
      const before = await visibleToken(stores, id, caller)
      refuseForUser(caller, before.user_id)
      await refusePowerful(stores, before.user_id, caller)
      await refuseUnknown(stores, limits, readLimits(before.limits))
      const change = { limits: storedLimits(limits) }
      await stores.tokens.update(id, version ?? before.version, change)
      const record = (await stores.tokens.find(id))!
      await stores.audit.record(actor, {
        action: 'token.limit',
        thing: 'token',
        id,
        name: record.name,
        before: readLimits(before.limits),
        after: limits,
      })
      await stores.revisions.bump()
      return this.#withLimits(stores, record, caller)
    }, caller)
  }

  /** What tokens of this user could be limited to. */
  choices({ user, search, endpoints }: z.output<typeof tokenChoices.query>, caller: Caller) {
    return this.#inTransaction(async (stores) => {
      refuseForUser(caller, user)
      const roles = await stores.users.rolesOf(user)
      const isSuperAdmin = roles.some(({ name }) => name === superAdminRole)
      const roleIds = isSuperAdmin ? null : roles.map(({ id }) => id)
      return choicesOf(stores, roleIds, search, endpoints === 'tools')
    })
  }

  async #withLimits(
    stores: Stores,
    record: TokenWithUser,
    caller: Caller,
  ): Promise<TokenWithLimits> {
    const limits = readLimits(record.limits)
    const today = this.#clock.now().toISOString().slice(0, 10)
    const [usage] = await stores.tokenUsage.totals([record.id], today)
    return {
      record,
      limits,
      named: await namedBy(stores, limits),
      usage: { today: usage?.today ?? 0, this_month: usage?.this_month ?? 0 },
      canChange: await mayMake(stores, record.user_id, caller),
    }
  }
}

/** Whether the caller could make a token for this user. */
async function mayMake(stores: Stores, userId: number, caller: Caller): Promise<boolean> {
  if (!can(caller, 'token.create')) return false
  try {
    refuseForUser(caller, userId)
    await refusePowerful(stores, userId, caller)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
