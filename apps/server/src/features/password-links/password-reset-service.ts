import { gatewayClientId } from '@gatehouse/contract'
import { randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import type { Row } from '../../db/tables.ts'
import { countFromAddress } from '../../kernel/http/address-throttle.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { countHourly, hashOf, type HourlyBound } from '../../kernel/time/hourly-counts.ts'
import { BackgroundMails } from '../../kernel/mail/background-mails.ts'
import type { Mailer } from '../../kernel/mail/mailer.ts'
import type { MailAnswer } from '../../kernel/mail/send-mail.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { linkMails, linkOf } from './link-mails.ts'
import { newLink } from './new-link.ts'

export interface AskedFrom {
  address: string
  requestId: string
}

export interface PasswordResetOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  /** Undefined: the product sends no e-mails. */
  mailer: Mailer | undefined
  publicUrl: string | undefined
  /** For how long nobody looks for the user once the answer was sent; absent: `randomPauseMs`. */
  pauseMs?: (() => number) | undefined
}

/** Within an hour. */
const mailsOfAccount = 5
const asksOfAddress: HourlyBound = { max: 20, code: 'password_link.throttled' }

/** In milliseconds: the next call of who has asked must not meet the work that a user makes. */
export const randomPauseMs = (): number => randomInt(1, 4_000)

/** Sends links by which users who forgot their password choose another one. */
export class PasswordResetService {
  readonly #options: PasswordResetOptions
  readonly #mails: BackgroundMails | undefined

  constructor(options: PasswordResetOptions) {
    const { mailer, log } = options
    this.#options = options
    this.#mails = mailer && new BackgroundMails({ mailer, log, what: 'a link for a new password' })
  }

  /**
   * Counts a call, alike for every address. Returns what is left to do: call it once the answer was sent, so that
   * neither the answer nor its time shows whether there is such a user. It begins at a random moment, so that
   * calls right after the answer show nothing either. Throws a 404 without a mail server, and
   * a 429.
   */
  async ask(email: string, by: AskedFrom): Promise<() => Promise<void>> {
    const mails = this.#mails
    if (!mails) throw new AppError('mail.off')
    const mayMail = await this.#count(email.toLowerCase(), by.address)
    const { pauseMs = randomPauseMs } = this.#options
    return async () => {
      if (mayMail) await mails.run((mailer) => this.#send(mailer, email, by), pauseMs())
    }
  }

  /**
   * Returns whether the account may get a mail; accounts that don't exist count alike. A call that the bound of the
   * address refuses counts for no account: else one address could keep every user from a mail.
   */
  async #count(account: string, address: string): Promise<boolean> {
    const asks = await countFromAddress(
      this.#options,
      { what: 'reset', address, bound: asksOfAddress },
      (loginFailures, nowMs) => countHourly(loginFailures, hashOf(`reset of ${account}`), nowMs),
    )
    return asks <= mailsOfAccount
  }

  /** Breaks off what is being sent, and waits until nothing is under way. */
  async stop(): Promise<void> {
    await this.#mails?.stop()
  }

  async #send(mailer: Mailer, email: string, by: AskedFrom): Promise<MailAnswer | undefined> {
    const { inTransaction, clock, publicUrl = '' } = this.#options
    const made = await inTransaction(async (stores) => {
      const user = await stores.users.findByEmail(email)
      if (!user || !(await mayReset(stores, user))) return undefined
      await stores.audit.record(by, { ...eventOf(user), action: 'user.password_reset_asked' })
      return { to: user.email, token: await newLink(stores, user, 'reset', clock.now()) }
    })
    return made && mailer.send(made.to, linkMails.reset(linkOf(publicUrl, made.token)))
  }
}

/** Users whom a provider manages have no password of their own, and an invitation is not forgotten but open. */
async function mayReset({ signOn }: Stores, user: Row<'user'>): Promise<boolean> {
  if (user.password_hash === null || user.id === gatewayClientId) return false
  const identities = await signOn.identitiesOf(user.id)
  return !identities.some(({ is_managed }) => is_managed === 1)
}

export const eventOf = ({ id, name }: Pick<Row<'user'>, 'id' | 'name'>) =>
  ({ thing: 'user', id, name }) as const
