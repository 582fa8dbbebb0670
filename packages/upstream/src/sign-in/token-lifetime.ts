import type { ExactJson } from '@gatehouse/contract/mapping'
import { isLosslessNumber } from '@gatehouse/contract/mapping'

/** Where the authority does not say. */
export const assumedLifetimeMs = 5 * 60_000
/** No token is trusted for longer. */
const lifetimeMaxMs = 365 * 86_400_000
/** No end is told that is further away. */
export const refreshLifetimeMaxMs = 10 * lifetimeMaxMs
const lifetimeMinMs = 1_000

/** From here on a number is a time instead of a duration. */
const epochSecondsMin = 1_000_000_000
const epochMillisecondsMin = 1_000_000_000_000

/**
 * How long a token lives from `now`, in ms: a number of seconds, or a time (ISO 8601, or seconds or
 * milliseconds since 1970), as text or as a number. Bounded to a year unless another bound is given.
 * Undefined where it says nothing usable: 0, a negative number, a time that is over, anything else.
 */
export function lifetimeMs(
  value: ExactJson | undefined,
  now: Date,
  maxMs = lifetimeMaxMs,
): number | undefined {
  const text = isLosslessNumber(value) ? value.value : value
  if (typeof text !== 'string') return undefined
  const ms = isNumber(text.trim()) ? ofNumber(Number(text), now) : ofTime(text.trim(), now)
  return ms > 0 ? Math.min(Math.max(ms, lifetimeMinMs), maxMs) : undefined
}

const isNumber = (text: string) => /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/.test(text)

function ofNumber(value: number, now: Date): number {
  const isTime = value >= epochSecondsMin && value < epochMillisecondsMin * 100
  if (!isTime) return value * 1_000
  return (value >= epochMillisecondsMin ? value : value * 1_000) - now.getTime()
}

function ofTime(text: string, now: Date): number {
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(
      text,
    ) ?? []
  if (day === undefined) return NaN
  return Date.parse(`${day}T${time}${zone ?? 'Z'}`) - now.getTime()
}

/**
 * When a token is renewed: at 80 % of its life, or 60 s before its end where that is earlier. A token
 * that lives for 2 minutes or less is renewed at 80 %, so that it is used at all.
 */
export function renewAt(obtainedAt: Date, expiresAt: Date): Date {
  const lifeMs = expiresAt.getTime() - obtainedAt.getTime()
  const afterMs = lifeMs > 120_000 ? Math.min(0.8 * lifeMs, lifeMs - 60_000) : 0.8 * lifeMs
  return new Date(obtainedAt.getTime() + Math.max(0, Math.floor(afterMs)))
}
