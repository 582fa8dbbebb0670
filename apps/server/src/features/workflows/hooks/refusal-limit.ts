import { addressGroup } from '@gatehouse/upstream/http'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'

const windowMs = 60_000
/** Messages of one address in a minute that may be refused before it has to wait. */
const refusedMax = 60
const addressesMax = 10_000

/** Bounds how often an address may guess. What is accepted does not count. */
export class RefusalLimit {
  readonly #clock: Clock
  readonly #counts = new Map<string, { count: number; untilMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Throws a 429 where the address was refused too often. */
  check(address: string): void {
    const now = this.#clock.now().getTime()
    const found = this.#counts.get(addressGroup(address))
    if (!found || found.untilMs <= now || found.count < refusedMax) return
    throw new AppError('server.busy', { retryAfterSeconds: (found.untilMs - now) / 1000 })
  }

  note(address: string): void {
    const group = addressGroup(address)
    const now = this.#clock.now().getTime()
    const found = this.#counts.get(group)
    if (found && found.untilMs > now) {
      found.count++
      return
    }
    if (this.#counts.size >= addressesMax) this.#counts.clear()
    this.#counts.set(group, { count: 1, untilMs: now + windowMs })
  }
}
