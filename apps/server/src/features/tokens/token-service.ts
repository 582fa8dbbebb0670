import type { TokenLimits } from '@gatehouse/contract'
import type { ListQuery } from '../../db/listing.ts'
import { fieldError } from '../../kernel/app-error.ts'
import { asking, refuseWithout, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { hashPersonalToken, makePersonalToken } from './personal-token.ts'
import { readLimits, storedLimits } from '../../kernel/stored-limits.ts'
import {
  mayHoldFor,
  refuseForUser,
  refusePowerful,
  visibleOwners,
  visibleToken,
} from './token-reach.ts'
import { refuseUnknown } from './token-scope.ts'
import type { TokenWithUser } from './token-store.ts'

const dayMs = 86_400_000

interface NewToken {
  /** Null: for the caller. */
  user: number | null
  name: string
  expires_in_days: number
  /** Absent or null: none. */
  limits?: TokenLimits | null | undefined
  is_for_agent?: boolean | undefined
}

export class TokenService {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock

  constructor(inTransaction: InTransaction, clock: Clock) {
    this.#inTransaction = inTransaction
    this.#clock = clock
  }

  list(query: ListQuery, caller: Caller) {
    return this.#inTransaction(({ tokens }) => tokens.list(query, visibleOwners(caller)))
  }

  /** The users for whom the caller may generate tokens: the caller, the gateway client, or all. See `mayHoldFor`. */
  listUsers(caller: Caller) {
    return this.#inTransaction(async ({ users }) =>
      (await users.listAll()).filter(({ id }) => mayHoldFor(caller, id)),
    )
  }

  /** Returns the token in clear text, this once; what is stored is its hash. */
  create(
    { user, name, expires_in_days, limits, is_for_agent }: NewToken,
    actor: Actor,
  ): Promise<TokenWithUser & { token: string }> {
    const { caller } = actor
    if (is_for_agent && !namesAnything(limits))
      throw fieldError({ 'limits.endpoints': ['Choose a tool or a workflow at least.'] })
    const userId = user ?? caller.user.id
    const token = makePersonalToken()
    const now = this.#clock.now()
    return this.#inTransaction(async (stores) => {
      const { users, tokens, audit, revisions } = stores
      refuseForUser(caller, userId)
      const owner = await users.find(userId)
      if (!owner) throw fieldError({ user: ['This user does not exist.'] })
      await refusePowerful(stores, userId, caller)
      if (limits) await refuseUnknown(stores, limits)
      const { id } = await tokens.insert({
        user_id: userId,
        name: name || `Token of ${now.toISOString().slice(0, 10)}`,
        token_hash: hashPersonalToken(token),
        ending: token.slice(-4),
        created_by_id: caller.user.id,
        created_by_name: caller.user.name,
        created_at: now.toISOString(),
        expires_at: new Date(now.getTime() + expires_in_days * dayMs).toISOString(),
        limits: storedLimits(limits),
      })
      const record = (await tokens.find(id))!
      await audit.record(actor, {
        action: 'token.create',
        thing: 'token',
        id,
        name: record.name,
        after: auditedToken(record),
      })
      await revisions.bump()
      return { ...record, token }
    }, caller)
  }

  /**
   * A token that the caller may try endpoints with, which never shows its text: one of those for whom the
   * caller could make a token as well. Throws a 403 or a 404; whether the token still counts is not asked here.
   */
  toTry(id: number, actor: Actor): Promise<TokenWithUser> {
    const asked = asking(actor, 'token.create')
    const { caller } = asked
    refuseWithout(caller, 'token.create')
    return this.#inTransaction(async (stores) => {
      const record = await visibleToken(stores, id, caller)
      refuseForUser(caller, record.user_id)
      await refusePowerful(stores, record.user_id, caller)
      return record
    }, caller)
  }

  async revoke(id: number, actor: Actor): Promise<void> {
    await this.#inTransaction(async ({ tokens, audit, revisions }) => {
      const record = await visibleToken({ tokens }, id, actor.caller)
      if (!(await tokens.revoke(id, this.#clock.now().toISOString()))) return revisions.confirm()
      await audit.record(actor, {
        action: 'token.revoke',
        thing: 'token',
        id,
        name: record.name,
        before: auditedToken(record),
      })
      await revisions.bump()
    }, actor.caller)
  }
}

const namesAnything = (limits: TokenLimits | null | undefined) =>
  limits != null && limits.endpoints.length + limits.workflows.length > 0

const auditedToken = ({ name, user_name, ending, expires_at, limits }: TokenWithUser) => ({
  name,
  user: user_name,
  ending,
  expires_at,
  ...(limits === null ? {} : { limits: readLimits(limits) }),
})
