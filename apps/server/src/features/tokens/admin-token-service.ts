import { adminTokensMax } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { can, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { hashPersonalToken, makeAdminToken } from './personal-token.ts'

const dayMs = 86_400_000

export interface AdminTokenOptions {
  inTransaction: InTransaction
  clock: Clock
  /** Checks the caller's password, and a code where they have a second factor, before the work: throws a 422 or 429. */
  prove: <T>(
    proof: { current_password: string; code: string },
    actor: Actor,
    work: (stores: Stores) => Promise<T>,
  ) => Promise<T>
  /** Throws a 403 where the user is beyond the caller's reach, and a 404 where there is none. */
  refuseUnreachable: (stores: Stores, caller: Caller, userId: number) => Promise<void>
}

interface NewAdminToken {
  name: string
  permissions: readonly string[]
  expires_in_days: number
  current_password: string
  code: string
}

/** A user's own tokens for programs that call the admin API. */
export class AdminTokenService {
  readonly #options: AdminTokenOptions

  constructor(options: AdminTokenOptions) {
    this.#options = options
  }

  list({ user }: Caller) {
    return this.#options.inTransaction(({ adminTokens }) => adminTokens.listOf(user.id))
  }

  /** Returns the token in clear text, this once. A session that somebody finds open is not enough to make one. */
  async create(
    { name, permissions, expires_in_days, ...proof }: NewAdminToken,
    actor: Actor,
  ): Promise<Row<'admin_token'> & { token: string }> {
    const { clock, prove } = this.#options
    const { caller } = actor
    const token = makeAdminToken()
    const now = clock.now()
    return prove(proof, actor, async ({ adminTokens, audit }) => {
      refuseBeyond(caller, permissions)
      if ((await adminTokens.listOf(caller.user.id)).length >= adminTokensMax)
        throw fieldError({ name: [`You have ${adminTokensMax} tokens. Revoke one first.`] })
      const record = await adminTokens.insert({
        user_id: caller.user.id,
        name,
        token_hash: hashPersonalToken(token),
        ending: token.slice(-4),
        permissions: permissions.join(' '),
        created_at: now.toISOString(),
        expires_at: new Date(now.getTime() + expires_in_days * dayMs).toISOString(),
      })
      const event = { thing: 'admin-token', id: record.id, name } as const
      await audit.record(actor, {
        ...event,
        action: 'admin_token.create',
        after: auditedToken(record),
      })
      return { ...record, token }
    })
  }

  async revoke(id: number, actor: Actor): Promise<void> {
    const { inTransaction, clock } = this.#options
    const { caller } = actor
    await inTransaction(async ({ adminTokens, audit }) => {
      const record = await adminTokens.revoke(id, caller.user.id, clock.now().toISOString())
      if (!record) throw new AppError('token.not_found')
      const event = { thing: 'admin-token', id, name: record.name } as const
      await audit.record(actor, {
        ...event,
        action: 'admin_token.revoke',
        before: auditedToken(record),
      })
    }, caller)
  }

  /** For an administrator, where a program of another user must call no longer. */
  async revokeAllOf(userId: number, actor: Actor): Promise<void> {
    const { inTransaction, clock, refuseUnreachable } = this.#options
    await inTransaction(async (stores) => {
      await refuseUnreachable(stores, actor.caller, userId)
      const user = await stores.users.find(userId)
      const count = await stores.adminTokens.revokeAllOf(userId, clock.now().toISOString())
      if (!user || count === 0) return
      await stores.audit.record(actor, {
        action: 'admin_token.revoke_all',
        thing: 'user',
        id: userId,
        name: user.name,
        before: { tokens: count },
      })
    }, actor.caller)
  }
}

function refuseBeyond(caller: Caller, permissions: readonly string[]): void {
  const lacking = permissions.filter((name) => !can(caller, name as Parameters<typeof can>[1]))
  if (lacking.length > 0)
    throw new AppError('permission.denied', {
      message: `You do not hold these permissions yourself: ${lacking.slice(0, 3).join(', ')}.`,
    })
}

const auditedToken = ({ name, ending, permissions, expires_at }: Row<'admin_token'>) => ({
  name,
  ending,
  permissions: permissions.split(' '),
  expires_at,
})
