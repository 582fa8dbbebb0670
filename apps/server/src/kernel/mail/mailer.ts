import { randomBytes } from 'node:crypto'
import type { AddressGuard } from '@gatehouse/upstream/http'
import type { Clock } from '../clock.ts'
import { sendMail, type MailAnswer, type MailSettings } from './send-mail.ts'

const sendMaxMs = 40_000

/** The mail server of the product, which `SMTP_URL` names. */
export type MailAccount = Omit<MailSettings, 'to'> & { password: string }

interface MailerOptions {
  account: MailAccount
  guard: AddressGuard
  clock: Clock
}

/** Sends e-mails of the product itself, each once. Those of alarms have channels of their own. */
export class Mailer {
  readonly #options: MailerOptions
  readonly #stopping = new AbortController()

  constructor(options: MailerOptions) {
    this.#options = options
  }

  /** Breaks off what is under way. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Never throws: the answer says why a mail was not sent. */
  send(
    to: string,
    { subject, text }: { subject: string; text: string },
    maxMs = sendMaxMs,
  ): Promise<MailAnswer> {
    const { account, guard, clock } = this.#options
    const { password, ...settings } = account
    const id = `msg_${randomBytes(16).toString('hex')}`
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(maxMs)])
    return sendMail(
      { id, subject, text },
      { guard, settings: { ...settings, to: [to] }, password, at: clock.now(), signal },
    )
  }
}
