import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refuseGuessablePassword } from '../../kernel/passwords/guessable-password.ts'
import { hashPassword } from '../../kernel/passwords/password-hash.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { LinkKind } from './new-link.ts'
import { eventOf, type AskedFrom } from './password-reset-service.ts'
import { hashOf, signInHash } from './sign-in-hash.ts'

interface PasswordLinkOptions {
  inTransaction: InTransaction
  clock: Clock
}

type Link = Row<'password_link'>

/** Links that were sent by e-mail, as their receivers use them. */
export class PasswordLinkService {
  readonly #options: PasswordLinkOptions

  constructor(options: PasswordLinkOptions) {
    this.#options = options
  }

  /** Whose password it sets. Throws a 404 where it was used or has ended. */
  show(token: string): Promise<{ kind: LinkKind; user: Row<'user'> }> {
    return this.#options.inTransaction(async (stores) => {
      const link = await stores.passwordLinks.find(hashOf(token))
      return { kind: link?.kind as LinkKind, user: await this.#userOf(stores, link) }
    })
  }

  /** Sets the password, once, and ends all sessions. What it throws, but for a 404, leaves the link as it was. */
  async use(token: string, password: string, by: AskedFrom): Promise<void> {
    const { inTransaction, clock } = this.#options
    const { user } = await this.show(token)
    // After the link: the estimate and the hash are costly.
    await refuseGuessablePassword(password, user)
    const password_hash = await hashPassword(password)
    await inTransaction(async (stores) => {
      const link = await stores.passwordLinks.take(hashOf(token))
      const fresh = await this.#userOf(stores, link)
      const at = clock.now().toISOString()
      const change = { password_hash, updated_at: at }
      await stores.users.update(fresh.id, fresh.version, change)
      await stores.sessions.endAllOf(fresh.id, at)
      const action = link?.kind === 'reset' ? 'user.password_reset' : 'user.invitation_accepted'
      await stores.audit.record({ ...by, user: fresh }, { ...eventOf(fresh), action })
    })
  }

  async #userOf({ users }: Stores, link: Link | undefined): Promise<Row<'user'>> {
    const user = link && (await users.find(link.user_id))
    const now = this.#options.clock.now().toISOString()
    if (!link || !user || link.expires_at <= now || link.sign_in_hash !== signInHash(user))
      throw new AppError('password_link.ended')
    return user
  }
}
