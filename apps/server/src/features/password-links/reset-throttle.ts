import { createHash } from 'node:crypto'
import { addressGroup } from '@gatehouse/upstream/http'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'

const windowMs = 60 * 60_000
const mailsOfAccount = 5
const asksOfAddress = 20

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

  /** Counts a call. Returns whether the account may get a mail; throws a 429 where the address has asked too often. */
  async mayMail(account: string, address: string): Promise<boolean> {
    const { inTransaction, clock } = this.#options
    const byAccount = hashOf(`reset of ${account}`)
    const byAddress = hashOf(`reset from ${addressGroup(address)}`)
    const counts = await inTransaction(async ({ loginFailures }) => {
      const nowMs = clock.now().getTime()
      const now = new Date(nowMs).toISOString()
      const counted = new Map<string, { count: number; endsMs: number }>()
      for (const row of await loginFailures.hold([byAccount, byAddress], now)) {
        const isCurrent = nowMs - Date.parse(row.first_at) < windowMs
        const first_at = isCurrent ? row.first_at : now
        const failures = (isCurrent ? row.failures : 0) + 1
        await loginFailures.put({ ...row, failures, first_at, last_at: now })
        const endsMs = Date.parse(first_at) + windowMs - nowMs
        counted.set(row.key_hash, { count: failures, endsMs })
      }
      return counted
    })
    const ofAddress = counts.get(byAddress)!
    if (ofAddress.count > asksOfAddress)
      throw new AppError('password_link.throttled', {
        retryAfterSeconds: Math.ceil(ofAddress.endsMs / 1000),
      })
    return counts.get(byAccount)!.count <= mailsOfAccount
  }
}

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
