import { createHash } from 'node:crypto'
import { addressGroup } from '@gatehouse/upstream/http'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'

const accountWindowMs = 15 * 60_000
const accountFreeFailures = 10
const delayMaxMs = 60_000
const addressWindowMs = 60 * 60_000
const addressFailuresMax = 100

/** A sign-in whose password may be checked. It counts as failed until it succeeds. */
export interface Attempt {
  /**
   * The answer to a wrong password where users who never signed in from this address have to wait.
   * From an unknown address the right password gets it too.
   */
  refusal: AppError | undefined
  succeed(): Promise<void>
  /** It was no guess, and has not succeeded either: it does not count, and earlier ones still do. */
  withdraw(): Promise<void>
}

interface LoginThrottleOptions {
  stores: Pick<Stores, 'loginFailures'>
  inTransaction: InTransaction
  clock: Clock
}

type Failures = Row<'login_failure'>

/** What an attempt counts against. */
type Keys = Record<'account' | 'address' | 'pair', string>

/**
 * Slows guessing down. Ten failures for one account within 15 minutes start a delay that doubles to
 * a minute at most; a hundred failures from one address within an hour end its attempts for that hour,
 * where an IPv6 address counts by its /64 network. People who have signed in from that address before
 * may still try there, until their own failures there delay them: neither a guesser elsewhere nor one in
 * the same office can lock them out. Answers and their time are the same for accounts that exist and
 * those that don't. The database counts, so that all servers count together and a restart forgets nothing.
 */
export class LoginThrottle {
  readonly #options: LoginThrottleOptions
  readonly #nowMs: () => number

  constructor(options: LoginThrottleOptions) {
    this.#options = options
    this.#nowMs = steadyMs(options.clock)
  }

  /** Counts the attempt. Throws `session.throttled`, with the seconds to wait, before any work is done. */
  async begin(account: string, address: string): Promise<Attempt> {
    const { stores, inTransaction } = this.#options
    const keys = keysOf(account, addressGroup(address))
    const hashes = Object.values(keys)
    // Most guesses end here, and write nothing.
    this.#judge(keys, await stores.loginFailures.list(hashes))
    // Counted before the hash is known, so that parallel guesses don't all pass the check above.
    const unknownAddressMs = await inTransaction(async ({ loginFailures }) => {
      const nowMs = this.#nowMs()
      const held = await loginFailures.hold(hashes, isoOf(nowMs))
      const waitMs = this.#judge(keys, held)
      const counted = held.filter(({ key_hash }) => waitMs <= 0 || key_hash === keys.pair)
      for (const each of counted) {
        const windowMs = each.key_hash === keys.address ? addressWindowMs : accountWindowMs
        await loginFailures.put(countedUp(each, windowMs, nowMs))
      }
      await loginFailures.removeUnusedSince(isoOf(nowMs - addressWindowMs))
      return waitMs
    })
    const isCounted = unknownAddressMs <= 0
    return {
      refusal: isCounted ? undefined : throttled(unknownAddressMs),
      succeed: () => this.#succeed(keys, isCounted),
      withdraw: () => this.#withdraw(keys, isCounted),
    }
  }

  async #succeed({ account, address, pair }: Keys, isCounted: boolean): Promise<void> {
    await this.#options.inTransaction(async ({ loginFailures }) => {
      await loginFailures.remove(isCounted ? [pair, account] : [pair])
      // The attempt was counted when it began; the address gets it back.
      if (isCounted) await loginFailures.takeBack(address)
    })
  }

  async #withdraw({ account, address, pair }: Keys, isCounted: boolean): Promise<void> {
    await this.#options.inTransaction(async ({ loginFailures }) => {
      // In the order in which `hold` takes the rows.
      for (const hash of (isCounted ? [account, address, pair] : [pair]).toSorted())
        await loginFailures.takeBack(hash)
    })
  }

  /** How long unknown addresses have to wait; 0 or less: they need not. Throws where this one has to wait too. */
  #judge({ account, address, pair }: Keys, rows: readonly Failures[]): number {
    const nowMs = this.#nowMs()
    const find = (hash: string) => rows.find(({ key_hash }) => key_hash === hash)
    const unknownAddressMs = Math.max(
      delayOf(find(account), nowMs),
      addressWaitOf(find(address), nowMs),
    )
    const pairMs = delayOf(find(pair), nowMs)
    if (pairMs > 0) throw throttled(Math.max(pairMs, unknownAddressMs))
    return unknownAddressMs
  }
}

function delayOf(failures: Failures | undefined, nowMs: number): number {
  if (!failures || failures.failures < accountFreeFailures) return 0
  if (!isCurrent(failures, accountWindowMs, nowMs)) return 0
  const delayMs = Math.min(
    1000 * 2 ** Math.min(failures.failures - accountFreeFailures, 10),
    delayMaxMs,
  )
  // A clock that was set back while no server ran must not make anyone wait longer.
  return Math.min(Date.parse(failures.last_at), nowMs) + delayMs - nowMs
}

function addressWaitOf(failures: Failures | undefined, nowMs: number): number {
  if (!failures || failures.failures < addressFailuresMax) return 0
  if (!isCurrent(failures, addressWindowMs, nowMs)) return 0
  return Math.min(Date.parse(failures.first_at), nowMs) + addressWindowMs - nowMs
}

const isCurrent = ({ first_at }: Failures, windowMs: number, nowMs: number) =>
  nowMs - Date.parse(first_at) < windowMs

function countedUp(failures: Failures, windowMs: number, nowMs: number): Failures {
  const { key_hash, failures: count, first_at } = failures
  const now = isoOf(nowMs)
  return isCurrent(failures, windowMs, nowMs)
    ? { key_hash, failures: count + 1, first_at, last_at: now }
    : { key_hash, failures: 1, first_at: now, last_at: now }
}

/**
 * A time that setting the machine's clock does not move while this server runs. Servers that share a
 * database have its clock, which is such a time already.
 */
function steadyMs(clock: Clock): () => number {
  if (clock.toMachine) return () => clock.now().getTime()
  const monotonicMs = () => clock.monotonicMs?.() ?? performance.now()
  const offsetMs = clock.now().getTime() - monotonicMs()
  return () => offsetMs + monotonicMs()
}

const isoOf = (ms: number) => new Date(ms).toISOString()

const throttled = (waitMs: number) =>
  new AppError('session.throttled', { retryAfterSeconds: Math.ceil(waitMs / 1000) })

const keysOf = (account: string, address: string): Keys => ({
  account: hashOf(`account ${account}`),
  address: hashOf(`address ${address}`),
  pair: hashOf(`pair ${address} ${account}`),
})

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
