import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import { BackgroundMails } from '../../kernel/mail/background-mails.ts'
import type { Mailer } from '../../kernel/mail/mailer.ts'
import type { RecordedEvent, Stores } from '../../stores.ts'
import { noticeMail, noticesOf, type Notice } from './notice-mails.ts'

const hourMs = 60 * 60_000
/** To one user, by one server. */
const hourlyMax = 20

interface SignInNoticesOptions {
  stores: Pick<Stores, 'users'>
  clock: Clock
  log: Logger
  /** Undefined: the product sends no e-mails. */
  mailer: Mailer | undefined
  publicUrl: string | undefined
}

/** E-mails to users whose password, passkeys, second factor or address were changed. */
export class SignInNotices {
  readonly #options: SignInNoticesOptions
  readonly #mails: BackgroundMails | undefined
  #counted = { sinceMs: 0, sent: new Map<number, number>() }

  constructor(options: SignInNoticesOptions) {
    const { mailer, log } = options
    this.#options = options
    this.#mails = mailer && new BackgroundMails({ mailer, log, what: 'a notice about a sign-in' })
  }

  /** Takes what a transaction has recorded, after its commit. Nobody waits for the mails. */
  tell(events: readonly RecordedEvent[]): void {
    if (!this.#mails) return
    const at = this.#options.clock.now()
    for (const notice of noticesOf(events))
      if (this.#isWithinBound(notice.userId, at)) void this.#send(this.#mails, notice, at)
  }

  mountOn(app: FastifyInstance): void {
    app.addHook('onClose', () => this.#mails?.stop())
  }

  #send(mails: BackgroundMails, notice: Notice, at: Date): Promise<void> {
    const { stores, publicUrl = '' } = this.#options
    return mails.run(async (mailer) => {
      const to = notice.to ?? (await stores.users.find(notice.userId))?.email
      return to === undefined ? undefined : mailer.send(to, noticeMail(notice, at, publicUrl))
    })
  }

  #isWithinBound(userId: number, at: Date): boolean {
    const nowMs = at.getTime()
    if (Math.abs(nowMs - this.#counted.sinceMs) >= hourMs)
      this.#counted = { sinceMs: nowMs, sent: new Map() }
    const { sent } = this.#counted
    const count = (sent.get(userId) ?? 0) + 1
    sent.set(userId, count)
    if (count === hourlyMax + 1) this.#options.log.warn('a user gets no more notices in this hour')
    return count <= hourlyMax
  }
}
