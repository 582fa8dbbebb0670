import type { AddressGuard } from '@gatehouse/upstream/http'
import type { Row } from '../../../db/tables.ts'
import { sendMail, type MailAnswer } from '../../../kernel/mail/send-mail.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'
import type { Stores } from '../../../stores.ts'
import { openSecret, readChannel } from './channel-settings.ts'

interface SenderOptions {
  stores: Pick<Stores, 'alarmChannels'>
  secrets: SecretBox
  guard: AddressGuard
}

interface Try {
  at: Date
  signal: AbortSignal
}

const gone: MailAnswer = { ok: false, status: null, answer: 'The channel was deleted.' }

/** Sends the e-mails of channels. */
export class ChannelMailer {
  readonly #options: SenderOptions

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /** The secrets that sign what a webhook gets. */
  async secretsOf(channelId: number): Promise<string[]> {
    const { stores, secrets } = this.#options
    const row = await stores.alarmChannels.find(channelId)
    return row && row.secret_encrypted !== null ? [openSecret(secrets, row)] : []
  }

  async send(channelId: number, id: string, payload: string, { at, signal }: Try) {
    const { stores, secrets, guard } = this.#options
    const row = await stores.alarmChannels.find(channelId)
    if (!row) return gone
    const { subject, text } = JSON.parse(payload) as { subject: string; text: string }
    const password = openSecret(secrets, row)
    return sendMail(
      { id, subject, text },
      { guard, settings: readChannel(row), password, at, signal },
    )
  }

  /** As the outbox sends. */
  async deliver({ message_id, payload, target }: Row<'delivery'>, tried: Try) {
    const { channel } = JSON.parse(target) as { channel: number }
    const sent = await this.send(channel, message_id, payload, tried)
    if (sent.ok) return { what: 'delivered', status: sent.status } as const
    const { status, answer: error } = sent
    return { what: 'failed', status, error, isFinal: sent === gone } as const
  }
}
