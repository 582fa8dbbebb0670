import { addressGroup } from '@gatehouse/upstream/http'
import type { Clock } from '../../kernel/clock.ts'
import {
  countHourly,
  hashOf,
  refuseMore,
  windowMs,
  type HourlyBound,
} from '../../kernel/hourly-counts.ts'
import type { InTransaction } from '../../stores.ts'

/** Each sign-in begins once, also one that succeeds, and a company may have one address: so it is generous. */
const ofAddress: HourlyBound = { max: 1_000, code: 'session.throttled' }

/**
 * Counts the sign-ins with passkeys that an address begins, over all servers; an IPv6 address counts by its /64
 * network. Throws a 429 where there were too many within an hour; such a call writes nothing.
 */
export function countBegin(
  { inTransaction, clock }: { inTransaction: InTransaction; clock: Clock },
  address: string,
): Promise<void> {
  const hash = hashOf(`passkey from ${addressGroup(address)}`)
  return inTransaction(async ({ loginFailures }) => {
    const nowMs = clock.now().getTime()
    const [known] = await loginFailures.list([hash])
    if (known) refuseMore(known, nowMs, ofAddress)
    await countHourly(loginFailures, hash, nowMs, ofAddress)
    await loginFailures.removeUnusedSince(new Date(nowMs - windowMs).toISOString())
  })
}
