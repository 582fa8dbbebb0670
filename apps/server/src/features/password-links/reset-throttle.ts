import { createHash } from 'node:crypto'
import { addressGroup } from '@gatehouse/upstream/http'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'

const windowMs = 60 * 60_000
const mailsOfAccount = 5
const asksOfAddress = 20

interface ResetThrottleOptions {
  inTransaction: InTransaction
  clock: Clock
}

type Asks = Row<'login_failure'>
type AskStore = Stores['loginFailures']

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
      if (known) refuseMore(known, nowMs)
      // The address first, everywhere: calls at once must not wait for each other in a circle.
      await count(loginFailures, byAddress, nowMs, refuseMore)
      const asks = await count(loginFailures, byAccount, nowMs)
      await loginFailures.removeUnusedSince(new Date(nowMs - windowMs).toISOString())
      return asks <= mailsOfAccount
    })
  }
}

/** Returns how many calls there are in this hour, with this one. `judge` may refuse it before. */
async function count(
  store: AskStore,
  hash: string,
  nowMs: number,
  judge?: (asks: Asks, nowMs: number) => void,
): Promise<number> {
  const now = new Date(nowMs).toISOString()
  const [asks] = await store.hold([hash], now)
  judge?.(asks!, nowMs)
  const isWithin = isCurrent(asks!, nowMs)
  const failures = (isWithin ? asks!.failures : 0) + 1
  await store.put({ ...asks!, failures, first_at: isWithin ? asks!.first_at : now, last_at: now })
  return failures
}

const isCurrent = ({ first_at }: Asks, nowMs: number) => nowMs - Date.parse(first_at) < windowMs

function refuseMore(asks: Asks, nowMs: number): void {
  if (asks.failures < asksOfAddress || !isCurrent(asks, nowMs)) return
  const endsMs = Date.parse(asks.first_at) + windowMs - nowMs
  throw new AppError('password_link.throttled', { retryAfterSeconds: Math.ceil(endsMs / 1000) })
}

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
