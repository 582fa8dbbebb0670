import { randomBytes } from 'node:crypto'
import type { HookInput } from '@gatehouse/contract'
import type { SecretBox } from '../../../kernel/secret-box.ts'
import { newSecret } from '../callbacks/callback-secrets.ts'
import type { HookRow } from './hook-store.ts'

/** After a change the old secret is accepted too, so that the sender can follow. */
const oldAcceptedMs = 24 * 3_600_000

type SecretField = 'secret' | 'old_secret'
type SecretColumns = Pick<HookRow, 'secret' | 'secret_set_at' | 'old_secret' | 'old_secret_until'>

/** Keeps the secrets of webhooks, sealed. */
export class HookSecrets {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  /** Those that are accepted now. */
  of(hook: HookRow, at: Date): string[] {
    const secrets = [this.#open(hook.id, 'secret', hook.secret)]
    const { old_secret, old_secret_until } = hook
    if (old_secret !== null && old_secret_until !== null && at.toISOString() < old_secret_until)
      secrets.push(this.#open(hook.id, 'old_secret', old_secret))
    return secrets
  }

  /** The columns of a secret that is saved, and the one that was made; undefined where the stored one stays. */
  settle(
    id: number,
    stored: HookRow | undefined,
    { secret: typed, new_secret, preset }: HookInput,
    at: Date,
  ): { columns: SecretColumns; made: string | null } | undefined {
    if (stored && !typed && !new_secret) return undefined
    const made = preset === 'standard' ? newSecret() : randomBytes(32).toString('hex')
    const secret = typed || made
    const old = stored && this.#open(id, 'secret', stored.secret)
    const keepsOld = old !== undefined && old !== secret
    const columns = {
      secret: this.#seal(id, 'secret', secret),
      secret_set_at: at.toISOString(),
      old_secret: keepsOld ? this.#seal(id, 'old_secret', old) : null,
      old_secret_until: keepsOld ? new Date(at.getTime() + oldAcceptedMs).toISOString() : null,
    }
    return { columns, made: typed ? null : made }
  }

  #seal(row: number, field: SecretField, plain: string): string {
    return this.#box.seal(plain, { table: 'hook', row, field })
  }

  #open(row: number, field: SecretField, sealed: string): string {
    return this.#box.open(sealed, { table: 'hook', row, field })
  }
}
