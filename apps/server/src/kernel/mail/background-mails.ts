import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { fewAtOnce } from '../few-at-once.ts'
import type { Mailer } from './mailer.ts'
import type { MailAnswer } from './send-mail.ts'

interface BackgroundMailsOptions {
  mailer: Mailer
  log: Logger
  /** What they are, for the log. */
  what: string
}

/** E-mails that nobody waits for: two at once, 50 waiting. The log says what was not sent. */
export class BackgroundMails {
  readonly #options: BackgroundMailsOptions
  readonly #few = fewAtOnce({ atOnce: 2, queueMax: 50 })
  readonly #underWay = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(options: BackgroundMailsOptions) {
    this.#options = options
  }

  /** Never throws. The work begins after the pause, sends at most one mail, and returns the answer to it. */
  async run(work: (mailer: Mailer) => Promise<MailAnswer | undefined>, pauseMs = 0): Promise<void> {
    const { mailer, log, what } = this.#options
    const { signal } = this.#stopping
    const begun = pauseMs > 0 ? setTimeout(pauseMs, undefined, { signal }) : Promise.resolve()
    const sending = begun
      .then(() => this.#few(() => work(mailer)))
      .then(
        (sent) => {
          if (sent?.ok === false)
            log.error({ reason: sent.answer }, `the mail server did not take ${what}`)
        },
        (error: unknown) => log.error({ err: error }, `${what} could not be sent`),
      )
    this.#underWay.add(sending)
    await sending.finally(() => this.#underWay.delete(sending))
  }

  /** Breaks off what is being sent or is to be sent, and waits until nothing is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#options.mailer.stop()
    await Promise.all(this.#underWay)
  }
}
