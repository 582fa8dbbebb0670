import { randomBytes } from 'node:crypto'
import type { AddressGuard } from '@gatehouse/upstream/http'
import type { Row } from '../../../db/tables.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { sendMail } from '../../../kernel/mail/send-mail.ts'
import type { SendTest } from './alarm-channel-service.ts'

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
  guard: AddressGuard
  /** Signs with this secret. */
  webhookWith: (secret: string) => SendWebhook
  clock: Clock
}

const subject = '[Gatehouse] Test of this channel'
const text = 'This is a test. Alarms of Gatehouse will arrive here.\n'

/** Sends a test past the outbox, and waits for the answer. */
export function testSender({ guard, webhookWith, clock }: TestOptions): SendTest {
  return async ({ kind, settings, secret }) => {
    const at = clock.now()
    const how = { at, signal: AbortSignal.timeout(testMaxMs) }
    const message_id = `msg_${randomBytes(16).toString('hex')}`
    if (kind === 'e-mail') {
      const mail = { id: message_id, subject, text }
      const { ok, answer } = await sendMail(mail, { guard, settings, password: secret, ...how })
      return { ok, answer }
    }
    const payload = JSON.stringify({
      type: 'alarm.test',
      timestamp: at.toISOString(),
      data: { count: 0, alarms: [] },
    })
    const target = JSON.stringify({ url: settings.url, secret: { of: 'alarm', id: 0 } })
    const delivery = { message_id, payload, target } as Row<'delivery'>
    const tried = await webhookWith(secret)(delivery, how)
    if (tried.what === 'delivered') return { ok: true, answer: `It answered ${tried.status}.` }
    return { ok: false, answer: tried.what === 'failed' ? tried.error : 'It took too long.' }
  }
}
