import { createHash } from 'node:crypto'
import type { ErrorCode } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../app-error.ts'

export const windowMs = 60 * 60_000

export type Asks = Row<'login_failure'>

export interface HeldCounts {
  hold: (hashes: readonly string[], at: string) => Promise<Asks[]>
  put: (asks: Asks) => Promise<void>
}

/** How many may be asked for in an hour, and what is thrown beyond that. */
export interface HourlyBound {
  readonly max: number
  readonly code: ErrorCode
}

/**
 * Counts over all servers. Returns how many there are in this hour, with this one; throws a 429 where the bound is
 * reached, and counts nothing.
 */
export async function countHourly(
  store: HeldCounts,
  hash: string,
  nowMs: number,
  bound?: HourlyBound,
): Promise<number> {
  const now = new Date(nowMs).toISOString()
  const [asks] = await store.hold([hash], now)
  if (bound) refuseMore(asks!, nowMs, bound)
  const isWithin = isCurrent(asks!, nowMs)
  const failures = (isWithin ? asks!.failures : 0) + 1
  await store.put({ ...asks!, failures, first_at: isWithin ? asks!.first_at : now, last_at: now })
  return failures
}

/** Throws a 429 where the bound is reached. */
export function refuseMore(asks: Asks, nowMs: number, { max, code }: HourlyBound): void {
  if (asks.failures < max || !isCurrent(asks, nowMs)) return
  const endsMs = Date.parse(asks.first_at) + windowMs - nowMs
  throw new AppError(code, { retryAfterSeconds: Math.ceil(endsMs / 1000) })
}

const isCurrent = ({ first_at }: Asks, nowMs: number) => nowMs - Date.parse(first_at) < windowMs

export const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
