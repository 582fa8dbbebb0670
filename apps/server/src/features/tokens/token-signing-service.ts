import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { makeSigningSecret } from './personal-token.ts'
import { refuseForUser, refusePowerful, visibleToken } from './token-reach.ts'

interface TokenSigningOptions {
  inTransaction: InTransaction
  clock: Clock
  secrets: SecretBox
}

/** The secrets with which holders of tokens sign requests. Who may make a token may give it one, and take it away. */
export class TokenSigningService {
  readonly #options: TokenSigningOptions

  constructor(options: TokenSigningOptions) {
    this.#options = options
  }

  /** The new secret in clear text, this once. Throws a 403 where the caller could not make this token. */
  async make(id: number, actor: Actor): Promise<string> {
    const { clock, secrets } = this.#options
    const secret = makeSigningSecret()
    const place = { table: 'personal_token', row: id, field: 'signing_secret' }
    const signing_since = clock.now().toISOString()
    await this.#change(id, actor, { signing_secret: secrets.seal(secret, place), signing_since })
    return secret
  }

  /** Does nothing where there is none. */
  async remove(id: number, actor: Actor): Promise<void> {
    await this.#change(id, actor, { signing_secret: null, signing_since: null })
  }

  #change(
    id: number,
    actor: Actor,
    change: { signing_secret: string | null; signing_since: string | null },
  ): Promise<void> {
    return this.#options.inTransaction(async (stores) => {
      const before = await this.#reach(stores, id, actor)
      if (before.signing_secret === null && change.signing_secret === null)
        return stores.revisions.confirm()
      await stores.tokens.setSigningSecret(id, change)
      await stores.audit.record(actor, {
        action: change.signing_secret === null ? 'token.unsign' : 'token.sign',
        thing: 'token',
        id,
        name: before.name,
        before: { signing_since: before.signing_since },
        after: { signing_since: change.signing_since },
      })
      await stores.revisions.bump()
    }, actor.caller)
  }

  async #reach(stores: Stores, id: number, { caller }: Actor) {
    const record = await visibleToken(stores, id, caller)
    refuseForUser(caller, record.user_id)
    await refusePowerful(stores, record.user_id, caller)
    return record
  }
}
