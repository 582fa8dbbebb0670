import { gatewayClientId } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor, Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Mailer } from '../../kernel/mail/mailer.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { countHourly, hashOf, type HourlyBound } from '../../kernel/time/hourly-counts.ts'
import { linkMails, linkOf } from './link-mails.ts'
import { newLink } from './new-link.ts'
import { eventOf } from './password-reset-service.ts'

// Somebody waits for it.
const sendMaxMs = 15_000
const toAddress: HourlyBound = { max: 5, code: 'user.invited_often' }
// One mailbox may have many addresses.
const byInviter: HourlyBound = { max: 100, code: 'user.invited_often' }

const addressHash = (emailKey: string) => hashOf(`invitations to ${emailKey}`)

interface Invited {
  /** Where the product sends no e-mails; null: it went out. */
  link: string | null
  /** What the mail server answered where it did not take it: the link counts all the same. */
  mailProblem: string | null
}

export interface InvitationOptions {
  inTransaction: InTransaction
  clock: Clock
  /** Undefined: the product sends no e-mails. */
  mailer: Mailer | undefined
  publicUrl: string | undefined
  /** Throws a 403 where the user is beyond the caller's reach. */
  refuseUnreachable: (stores: Stores, caller: Caller, userId: number) => Promise<void>
}

/** Links by which new users choose their first password. */
export class InvitationService {
  readonly #options: InvitationOptions

  constructor(options: InvitationOptions) {
    this.#options = options
  }

  get goesByMail(): boolean {
    return this.#options.mailer !== undefined
  }

  /**
   * Counts one to this address: 5 an hour, and 100 an hour by one user, who may have deleted and created others
   * between. One that the mail server does not take is none to the address. Throws a 429. Call it before anything
   * that others may wait for is written.
   */
  async count({ loginFailures }: Stores, emailKey: string, { caller }: Actor): Promise<void> {
    const nowMs = this.#options.clock.now().getTime()
    // The inviter first, everywhere: calls at once must not wait for each other in a circle.
    const inviter = hashOf(`invitations by ${caller.user.id}`)
    await countHourly(loginFailures, inviter, nowMs, byInviter)
    await countHourly(loginFailures, addressHash(emailKey), nowMs, toAddress)
  }

  /** Makes a new user, who was counted, a link. Throws 403, 404 or 409. */
  sendFirst(userId: number, actor: Actor): Promise<Invited> {
    return this.#send(userId, actor, async () => {})
  }

  async #send(
    userId: number,
    actor: Actor,
    count: (stores: Stores, emailKey: string) => Promise<void>,
  ): Promise<Invited> {
    const { inTransaction, clock, mailer, publicUrl = '' } = this.#options
    const { user, token } = await inTransaction(async (stores) => {
      const invited = await this.#open(stores, userId, actor)
      await count(stores, invited.email_key)
      const made = await newLink(stores, invited, 'invitation', clock.now())
      await stores.audit.record(actor, { ...eventOf(invited), action: 'user.invited' })
      return { user: invited, token: made }
    }, actor.caller)
    const link = linkOf(publicUrl, token)
    if (!mailer) return { link, mailProblem: null }
    const sent = await mailer.send(user.email, linkMails.invitation(link), sendMaxMs)
    if (sent.ok) return { link: null, mailProblem: null }
    // The inviter's count stays: it bounds the tries.
    await inTransaction(({ loginFailures }) => loginFailures.takeBack(addressHash(user.email_key)))
    return { link: null, mailProblem: sent.answer }
  }

  /**
   * Makes a link in place of an earlier one, and returns it where no e-mail took it. Throws 403, 404, 409, 429, and a
   * 502 where the mail server did not take it.
   */
  async sendAgain(userId: number, actor: Actor): Promise<string | null> {
    const { link, mailProblem } = await this.#send(userId, actor, (stores, emailKey) =>
      this.count(stores, emailKey, actor),
    )
    if (mailProblem !== null)
      throw new AppError('mail.refused', {
        message: `The mail server did not take it: ${mailProblem}`,
      })
    return link
  }

  /** The user stays, without a password. Throws 403, 404 or 409. */
  async takeBack(userId: number, actor: Actor): Promise<void> {
    await this.#options.inTransaction(async (stores) => {
      const user = await this.#open(stores, userId, actor)
      if (!(await stores.passwordLinks.removeInvitation(userId)))
        throw new AppError('user.not_invited')
      await stores.audit.record(actor, { ...eventOf(user), action: 'user.invitation_taken_back' })
    }, actor.caller)
  }

  async #open(stores: Stores, userId: number, { caller }: Actor): Promise<Row<'user'>> {
    const user = await stores.users.hold(userId)
    if (!user) throw new AppError('user.not_found')
    if (userId === gatewayClientId) throw new AppError('user.gateway_client', { isAudited: true })
    await this.#options.refuseUnreachable(stores, caller, userId)
    if (user.password_hash !== null) throw new AppError('user.has_password')
    return user
  }
}
