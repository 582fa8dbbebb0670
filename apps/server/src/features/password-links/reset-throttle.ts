import { addressGroup } from '@gatehouse/upstream/http'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import {
  countHourly,
  hashOf,
  refuseMore,
  windowMs,
  type HourlyBound,
} from '../../kernel/hourly-counts.ts'

const mailsOfAccount = 5
const ofAddress: HourlyBound = { max: 20, code: 'password_link.throttled' }

interface ResetThrottleOptions {
  inTransaction: InTransaction
  clock: Clock
}

/**
 * Bounds how often links are asked for, over all servers: 5 an hour for one account, and 20 an hour from one
 * address, where an IPv6 address counts by its /64 network. Accounts that don't exist count alike.
 */
export class ResetThrottle {
  readonly #options: ResetThrottleOptions

  constructor(options: ResetThrottleOptions) {
    this.#options = options
  }

  /**
   * Counts a call. Returns whether the account may get a mail; throws a 429 where the address has asked too often.
   * Such a call writes nothing and counts for no account: else one address could keep every user from a mail.
   */
  mayMail(account: string, address: string): Promise<boolean> {
    const { inTransaction, clock } = this.#options
    const byAccount = hashOf(`reset of ${account}`)
    const byAddress = hashOf(`reset from ${addressGroup(address)}`)
    return inTransaction(async ({ loginFailures }) => {
      const nowMs = clock.now().getTime()
      const [known] = await loginFailures.list([byAddress])
      if (known) refuseMore(known, nowMs, ofAddress)
      // The address first, everywhere: calls at once must not wait for each other in a circle.
      await countHourly(loginFailures, byAddress, nowMs, ofAddress)
      const asks = await countHourly(loginFailures, byAccount, nowMs)
      await loginFailures.removeUnusedSince(new Date(nowMs - windowMs).toISOString())
      return asks <= mailsOfAccount
    })
  }
}
