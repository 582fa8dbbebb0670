import { addressGroup } from '@gatehouse/upstream/http'
import { AppError } from '../../kernel/app-error.ts'

const accountWindowMs = 15 * 60_000
const accountFreeFailures = 10
const delayMaxMs = 60_000
const addressWindowMs = 60 * 60_000
const addressFailuresMax = 100
const entriesMax = 20_000

interface Failures {
  count: number
  firstAt: number
  lastAt: number
}

/** A sign-in whose password may be checked. It counts as failed until it succeeds. */
export interface Attempt {
  /**
   * The answer to a wrong password where users who never signed in from this address have to wait.
   * From an unknown address the right password gets it too.
   */
  refusal: AppError | undefined
  succeed(): void
}

/**
 * Slows guessing down. Ten failures for one account within 15 minutes start a delay that doubles to
 * a minute at most; a hundred failures from one address within an hour end its attempts for that hour,
 * where an IPv6 address counts by its /64 network. People who have signed in from that address before
 * may still try there, until their own failures there delay them: neither a guesser elsewhere nor one in
 * the same office can lock them out. Answers and their time are the same for accounts that exist and
 * those that don't. Counts live in memory and pass by a monotonic clock.
 */
export class LoginThrottle {
  readonly #failures = new Map<string, Failures>()
  readonly #monotonicMs: () => number

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** Counts the attempt. Throws `session.throttled`, with the seconds to wait, before any work is done. */
  begin(account: string, address: string): Attempt {
    const now = this.#monotonicMs()
    const group = addressGroup(address)
    const pair = pairKey(account, group)
    const unknownAddressMs = Math.max(
      this.#delay(accountKey(account), now),
      this.#addressWait(group, now),
    )
    const pairMs = this.#delay(pair, now)
    if (pairMs > 0) throw throttled(Math.max(pairMs, unknownAddressMs))
    // Counted before the hash is known, so that parallel guesses don't all pass the check above.
    this.#count(pair, accountWindowMs, now)
    const isCounted = unknownAddressMs <= 0
    if (isCounted) {
      this.#count(accountKey(account), accountWindowMs, now)
      this.#count(addressKey(group), addressWindowMs, now)
    }
    return {
      refusal: isCounted ? undefined : throttled(unknownAddressMs),
      succeed: () => {
        this.#failures.delete(pair)
        if (!isCounted) return
        this.#failures.delete(accountKey(account))
        // The attempt was counted when it began; the address gets it back.
        const atAddress = this.#failures.get(addressKey(group))
        if (atAddress) atAddress.count--
      },
    }
  }

  #delay(key: string, now: number): number {
    const failures = this.#current(key, accountWindowMs, now)
    if (!failures || failures.count < accountFreeFailures) return 0
    const delayMs = Math.min(
      1000 * 2 ** Math.min(failures.count - accountFreeFailures, 10),
      delayMaxMs,
    )
    return failures.lastAt + delayMs - now
  }

  #addressWait(group: string, now: number): number {
    const failures = this.#current(addressKey(group), addressWindowMs, now)
    return failures && failures.count >= addressFailuresMax
      ? failures.firstAt + addressWindowMs - now
      : 0
  }

  #current(key: string, windowMs: number, now: number): Failures | undefined {
    const failures = this.#failures.get(key)
    return failures && now - failures.firstAt < windowMs ? failures : undefined
  }

  #count(key: string, windowMs: number, now: number): void {
    const failures = this.#current(key, windowMs, now) ?? { count: 0, firstAt: now, lastAt: now }
    this.#failures.delete(key)
    this.#failures.set(key, { ...failures, count: failures.count + 1, lastAt: now })
    // The oldest go first; a map keeps the order in which keys were set.
    if (this.#failures.size > entriesMax)
      this.#failures.delete(this.#failures.keys().next().value ?? '')
  }
}

const throttled = (waitMs: number) =>
  new AppError('session.throttled', { retryAfterSeconds: Math.ceil(waitMs / 1000) })

const accountKey = (account: string) => `account ${account}`
const addressKey = (address: string) => `address ${address}`
const pairKey = (account: string, address: string) => `pair ${address} ${account}`
