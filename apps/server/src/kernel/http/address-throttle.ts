import { addressGroup } from '@gatehouse/upstream/http'
import type { Clock } from '../clock.ts'
import { countHourly, hashOf, refuseMore, windowMs } from '../time/hourly-counts.ts'
import type { Asks, HeldCounts, HourlyBound } from '../time/hourly-counts.ts'

interface Counts extends HeldCounts {
  list: (hashes: readonly string[]) => Promise<Asks[]>
  removeUnusedSince: (moment: string) => Promise<void>
}

interface Counting {
  inTransaction: <T>(work: (stores: { loginFailures: Counts }) => Promise<T>) => Promise<T>
  clock: Clock
}

interface Asked {
  /** What is asked for, told apart from all else that is counted. */
  what: string
  address: string
  bound: HourlyBound
}

/**
 * Counts what an address asks for within an hour, over all servers; an IPv6 address counts by its /64 network.
 * `alsoCount` counts more in the same transaction, after the address: calls at once must not wait for each other in
 * a circle. Throws a 429 where the bound of the address is reached; such a call writes nothing.
 */
export function countFromAddress<T>(
  { inTransaction, clock }: Counting,
  { what, address, bound }: Asked,
  alsoCount: (loginFailures: HeldCounts, nowMs: number) => Promise<T>,
): Promise<T> {
  const hash = hashOf(`${what} from ${addressGroup(address)}`)
  return inTransaction(async ({ loginFailures }) => {
    const nowMs = clock.now().getTime()
    const [known] = await loginFailures.list([hash])
    if (known) refuseMore(known, nowMs, bound)
    await countHourly(loginFailures, hash, nowMs, bound)
    const counted = await alsoCount(loginFailures, nowMs)
    await loginFailures.removeUnusedSince(new Date(nowMs - windowMs).toISOString())
    return counted
  })
}
