import type { ExactJson } from '@gatehouse/contract/mapping'
import { bound, unfit } from './conversion.ts'
import type { Conversion } from './conversion.ts'

/** ISO 8601: `2026-11-21`. */
export function toDate(value: ExactJson): Conversion {
  const text = textOf(value)
  return isDay(text) ? bound(text) : unfit('This must be a date like 2026-11-21.')
}

/** ISO 8601 without an offset: these types have no time zone, and a guessed one would shift times. */
export function toDateTime(scale: number, value: ExactJson): Conversion {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](.+))?$/.exec(textOf(value))
  const [, day = '', time = '00:00:00'] = match ?? []
  if (/(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(time)) {
    return unfit('This must be a date and time without a time zone.')
  }
  if (!isDay(day) || !/^(?:[01]\d|2[0-3]):/.test(time) || !isClock(time)) {
    return unfit('This must be a date and time like 2026-11-21T10:00:00.')
  }
  return hasMoreDigits(time, scale) ? tooFine(scale) : bound(`${day} ${time}`)
}

/** `10:00:00.5`. As in the database, it may be negative or more than a day. */
export function toTime(scale: number, value: ExactJson): Conversion {
  const text = textOf(value)
  const hours = Number(/^-?(\d{1,3}):/.exec(text)?.[1] ?? Infinity)
  if (hours > 838 || !isClock(text.replace(/^-/, ''))) {
    return unfit('This must be a time like 10:00:00.')
  }
  return hasMoreDigits(text, scale) ? tooFine(scale) : bound(text)
}

const textOf = (value: ExactJson) => (typeof value === 'string' ? value.trim() : '')

function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  const last = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  return month >= 1 && month <= 12 && day >= 1 && day <= last
}

const isClock = (text: string) => /^\d{1,3}:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/.test(text)

/** Zeros after the declared digits may be cut. */
function hasMoreDigits(text: string, scale: number): boolean {
  const fraction = text.split('.')[1] ?? ''
  return /[1-9]/.test(fraction.slice(scale))
}

const tooFine = (scale: number) =>
  unfit(
    scale === 0
      ? 'This may not have fractions of a second.'
      : `This may have at most ${scale} digits after the seconds.`,
  )
