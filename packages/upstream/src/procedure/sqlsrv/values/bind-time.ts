import type { ExactJson } from '@gatehouse/contract/mapping'
import type { ProcedureParameter } from '../../procedure-types.ts'
import { refused } from '../bound.ts'
import type { Bound } from '../bound.ts'
import { dayNumber, dayNumberSince1900, timeBytes } from './exact-scalars.ts'
import { integerBytes, scalar } from './wire-types.ts'

interface Moment {
  date: string | undefined
  hasTime: boolean
  seconds: number
  /** Fraction digits of the seconds, as written. */
  fraction: string
  offsetMinutes: number | undefined
}

const tokens: Readonly<Record<string, number>> = {
  date: 0x28,
  time: 0x29,
  datetime2: 0x2a,
  datetimeoffset: 0x2b,
}

const formats: Readonly<Record<string, string>> = {
  date: 'a date like 2026-11-21',
  time: 'a time of day like 07:58:40',
  datetimeoffset: 'a date and time with its offset, like 2026-11-21T07:58:40+02:00',
}
const formatDefault = 'a date and time without an offset, like 2026-11-21T07:58:40'

/** Dates and times in ISO 8601, with at most the fraction digits that the type keeps. */
export function bindTime({ type, scale: declared }: ProcedureParameter, value: ExactJson): Bound {
  const scale = declared ?? 7
  const small = type === 'datetime' ? 8 : type === 'smalldatetime' ? 4 : 0
  const info = small > 0 ? [0x6f, small] : type === 'date' ? [0x28] : [tokens[type] ?? 0, scale]
  if (value === null) return { ok: true, wire: scalar(info, null) }
  const moment = typeof value === 'string' ? parseMoment(value) : undefined
  if (!moment || !fits(type, moment)) {
    return refused(`This value must be ${formats[type] ?? formatDefault}.`)
  }
  const kept = type === 'datetime' ? 3 : type === 'smalldatetime' ? 0 : scale
  const digits = moment.fraction.replace(/0+$/, '')
  if (digits.length > kept) {
    return refused(`This time has more than ${kept} digits behind the seconds.`)
  }
  if (small > 0) return bindOld(type, info, { ...moment, fraction: digits })
  const bytes = momentBytes(type, scale, { ...moment, fraction: digits })
  if (!bytes) return refused('This time lies outside of the years 1 to 9999.')
  return { ok: true, wire: scalar(info, bytes) }
}

function parseMoment(text: string): Moment | undefined {
  const match =
    /^(?:(\d{4}-\d\d-\d\d)(?:[T ](?=\d)|$))?(?:(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(
      text,
    )
  if (!match || text === '') return undefined
  const [, date, hours, minutes, seconds, fraction = '', offset] = match
  // Date.parse would read 30 February as 2 March.
  if (date !== undefined && !isDay(date)) return undefined
  if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 59)
    return undefined
  return {
    date,
    hasTime: hours !== undefined,
    seconds: (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0),
    fraction,
    offsetMinutes: offsetOf(offset),
  }
}

function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`)
  return date >= '0001' && time === time && new Date(time).toISOString().startsWith(date)
}

function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (text === 'Z') return 0
  const size = Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6))
  return text.startsWith('-') ? -size : size
}

function fits(type: string, { date, hasTime, offsetMinutes }: Moment): boolean {
  const hasDate = date !== undefined
  const hasOffset = offsetMinutes !== undefined
  if (type === 'date') return hasDate && !hasTime && !hasOffset
  if (type === 'time') return !hasDate && hasTime && !hasOffset
  // The type allows at most 14 hours.
  if (type === 'datetimeoffset')
    return hasDate && hasTime && hasOffset && Math.abs(offsetMinutes) <= 840
  return hasDate && hasTime && !hasOffset
}

/** 9999-12-31. */
const lastDay = 3_652_058n

function momentBytes(type: string, scale: number, moment: Moment): Buffer | undefined {
  const day = BigInt(dayNumber(moment.date ?? '0001-01-01'))
  if (type === 'date') return integerBytes(day, 3)
  const perSecond = 10n ** BigInt(scale)
  const perDay = 86_400n * perSecond
  const local =
    BigInt(moment.seconds) * perSecond + BigInt(moment.fraction.padEnd(scale, '0') || '0')
  if (type === 'time') return integerBytes(local, timeBytes(scale))
  const offset = BigInt(moment.offsetMinutes ?? 0)
  const units = day * perDay + local - offset * 60n * perSecond
  if (units < 0n || units / perDay > lastDay) return undefined
  const parts = [integerBytes(units % perDay, timeBytes(scale)), integerBytes(units / perDay, 3)]
  if (type === 'datetimeoffset') parts.push(integerBytes(offset, 2))
  return Buffer.concat(parts)
}

/** `datetime` counts 1/300 s, so milliseconds are rounded to that. `smalldatetime` counts minutes. */
function bindOld(type: string, info: number[], { date = '', seconds, fraction }: Moment): Bound {
  const day = dayNumberSince1900(date)
  if (type === 'smalldatetime') {
    if (seconds % 60 !== 0) return refused('This time must be a whole minute.')
    if (day < 0 || day > 0xffff)
      return refused('This date must lie within 1900-01-01 and 2079-06-06.')
    const value = Buffer.concat([
      integerBytes(BigInt(day), 2),
      integerBytes(BigInt(seconds / 60), 2),
    ])
    return { ok: true, wire: scalar(info, value) }
  }
  if (date < '1753') return refused('This date must lie within 1753-01-01 and 9999-12-31.')
  const ticks = seconds * 300 + Math.round((Number(fraction.padEnd(3, '0')) * 3) / 10)
  // 23:59:59.999 is nearer to midnight, which would be another day.
  const kept = Math.min(ticks, 86_400 * 300 - 1)
  const value = Buffer.concat([integerBytes(BigInt(day), 4), integerBytes(BigInt(kept), 4)])
  return { ok: true, wire: scalar(info, value) }
}
