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

/**
 * Slows guessing down. Ten failures for one account within 15 minutes start a delay that doubles to
 * a minute at most; a hundred failures from one address within an hour end its attempts for that hour.
 * People who have signed in from that address before are judged on their own failures there alone:
 * neither a guesser elsewhere nor one in the same office can lock them out. Counts live in memory.
 */
export class LoginThrottle {
  readonly #failures = new Map<string, Failures>()

  /** Throws `session.throttled` with the seconds to wait. */
  check(account: string, address: string, isKnownHere: boolean, now: number): void {
    const waitMs = isKnownHere
      ? this.#delay(pairKey(account, address), now)
      : Math.max(this.#delay(accountKey(account), now), this.#addressWait(address, now))
    if (waitMs > 0)
      throw new AppError('session.throttled', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
  }

  recordFailure(account: string, address: string, now: number): void {
    this.#count(accountKey(account), accountWindowMs, now)
    this.#count(pairKey(account, address), accountWindowMs, now)
    this.#count(addressKey(address), addressWindowMs, now)
  }

  recordSuccess(account: string, address: string): void {
    this.#failures.delete(pairKey(account, address))
    this.#failures.delete(accountKey(account))
    // The attempt was counted when it began; the address gets it back.
    const atAddress = this.#failures.get(addressKey(address))
    if (atAddress) atAddress.count--
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

  #addressWait(address: string, now: number): number {
    const failures = this.#current(addressKey(address), addressWindowMs, now)
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

const accountKey = (account: string) => `account ${account}`
const addressKey = (address: string) => `address ${address}`
const pairKey = (account: string, address: string) => `pair ${address} ${account}`
