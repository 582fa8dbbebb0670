import { randomBytes } from 'node:crypto'
import type { Row } from '../../../db/tables.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { SendTest } from './alarm-channel-service.ts'
import type { ChannelMailer } from './channel-senders.ts'
import { readChannel } from './channel-settings.ts'

const testMaxMs = 40_000

/** As the outbox sends to webhooks. */
type SendWebhook = (
  delivery: Row<'delivery'>,
  how: { at: Date; signal: AbortSignal },
) => Promise<
  | { what: 'delivered'; status: number | null }
  | { what: 'failed'; error: string }
  | { what: 'aborted' }
>

interface TestOptions {
  mailer: ChannelMailer
  sendWebhook: SendWebhook
  clock: Clock
}

const subject = '[Gatehouse] Test of this channel'
const text = 'This is a test. Alarms of Gatehouse will arrive here.\n'

/** Sends a test past the outbox, and waits for the answer. */
export function testSender({ mailer, sendWebhook, clock }: TestOptions): SendTest {
  return async (channel) => {
    const at = clock.now()
    const how = { at, signal: AbortSignal.timeout(testMaxMs) }
    const message_id = `msg_${randomBytes(16).toString('hex')}`
    if (channel.kind === 'e-mail') {
      const { ok, answer } = await mailer.send(
        channel.id,
        message_id,
        JSON.stringify({ subject, text }),
        how,
      )
      return { ok, answer }
    }
    const payload = JSON.stringify({
      type: 'alarm.test',
      timestamp: at.toISOString(),
      data: { count: 0, alarms: [] },
    })
    const { url } = readChannel(channel)
    const target = JSON.stringify({ url, secret: { of: 'alarm', id: channel.id } })
    const tried = await sendWebhook({ message_id, payload, target } as Row<'delivery'>, how)
    if (tried.what === 'delivered') return { ok: true, answer: `It answered ${tried.status}.` }
    return { ok: false, answer: tried.what === 'failed' ? tried.error : 'It took too long.' }
  }
}
