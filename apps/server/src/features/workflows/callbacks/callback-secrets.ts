import { randomBytes } from 'node:crypto'
import type { WorkflowCallback, WorkflowInput } from '@gatehouse/contract'
import type { Row } from '../../../db/tables.ts'
import { fieldError } from '../../../kernel/app-error.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'
import type { Stores } from '../../../stores.ts'

const secretBytes = 32
/** After a change the old secret signs too, so that a receiver can follow. */
const oldSignsMs = 24 * 3_600_000

type SecretField = 'secret' | 'old_secret'
type StoredSecrets = Row<'workflow_callback'>

/** What a save says of the secret. */
type Sent = Pick<NonNullable<WorkflowInput['callback']>, 'secret' | 'new_secret'>

interface Settling {
  workflowId: number
  callback: WorkflowCallback
  sent: Sent
  at: Date
}

export const newSecret = () => `whsec_${randomBytes(secretBytes).toString('base64')}`

/** Keeps the secrets that callbacks are signed with: sealed, and one host each. */
export class CallbackSecrets {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  /** Those to sign with, the present one first. Empty where the workflow has none. */
  async of(stores: Pick<Stores, 'callbacks'>, workflowId: number, at: Date): Promise<string[]> {
    const stored = await stores.callbacks.findSecrets(workflowId)
    if (!stored) return []
    const secrets = [this.#open(stored, 'secret', stored.secret)]
    const isOldValid = stored.old_until !== null && at.toISOString() < stored.old_until
    if (isOldValid && stored.old_secret !== null)
      secrets.push(this.#open(stored, 'old_secret', stored.old_secret))
    return secrets
  }

  /**
   * Stores the secret of a callback that is saved. Returns the one that was generated, which is shown once.
   * Throws a 422 where the URL leads to another host than before and no secret came: what is signed with
   * the old one could be shown to its receiver.
   */
  async settle({ callbacks }: Stores, settling: Settling): Promise<string | undefined> {
    const { workflowId, callback, sent, at } = settling
    const host = hostOf(callback.url)
    const stored = await callbacks.findSecrets(workflowId)
    const isSameHost = stored?.host === host
    if (!sent.secret && !sent.new_secret && stored) {
      if (isSameHost) return undefined
      throw fieldError({
        'callback.secret': [
          'The URL leads to another host: enter the secret again, or have a new one made.',
        ],
      })
    }
    const secret = sent.secret || newSecret()
    const old = stored && isSameHost ? this.#open(stored, 'secret', stored.secret) : undefined
    const isSame = old === secret
    await callbacks.putSecrets({
      workflow_id: workflowId,
      host,
      secret: this.#seal(workflowId, 'secret', secret),
      set_at: at.toISOString(),
      old_secret: old && !isSame ? this.#seal(workflowId, 'old_secret', old) : null,
      old_until: old && !isSame ? new Date(at.getTime() + oldSignsMs).toISOString() : null,
    })
    return sent.secret ? undefined : secret
  }

  /** Whether the stored secret may sign for this URL. */
  async fits({ callbacks }: Stores, workflowId: number, url: string): Promise<boolean> {
    return (await callbacks.findSecrets(workflowId))?.host === hostOf(url)
  }

  #seal(row: number, field: SecretField, plain: string): string {
    return this.#box.seal(plain, { table: 'workflow_callback', row, field })
  }

  #open({ workflow_id: row }: StoredSecrets, field: SecretField, sealed: string): string {
    return this.#box.open(sealed, { table: 'workflow_callback', row, field })
  }
}

const hostOf = (url: string) => URL.parse(url)?.origin ?? url
