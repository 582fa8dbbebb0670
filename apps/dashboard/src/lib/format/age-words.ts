import { calendarDay } from './calendar-day.ts'
import { locale } from './language.ts'

const dayMs = 86_400_000
const units = [
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago a moment is, in its largest whole unit: `3 hours`; `a moment` below a minute. */
export function ageWords(since: string, now = Date.now()): string {
  return wholeUnits(now - Date.parse(since)) ?? 'a moment'
}

/**
 * How far away a moment is, as in a sentence: `3 hours ago`, `now` below a minute. From 24 hours on it counts
 * days of the calendar in the reader's time zone, so that `tomorrow` is the next day; undefined from the
 * seventh on, where a date says more.
 */
export function relativeWords(
  moment: Date,
  now = Date.now(),
  timeZone?: string,
): string | undefined {
  const farMs = moment.getTime() - now
  relativeFormat ??= new Intl.RelativeTimeFormat(locale ?? 'en', { numeric: 'auto' })
  if (Math.abs(farMs) >= dayMs) {
    const days = calendarDay(moment, timeZone) - calendarDay(new Date(now), timeZone)
    if (Math.abs(days) >= 7) return undefined
    // 0 in the 25 hours of the day on which clocks are put back.
    if (days !== 0) return relativeFormat.format(days, 'day')
  }
  for (const [unit, unitMs] of units.slice(1))
    if (Math.abs(farMs) >= unitMs) return relativeFormat.format(Math.trunc(farMs / unitMs), unit)
  return relativeFormat.format(0, 'second')
}

let relativeFormat: Intl.RelativeTimeFormat | undefined

/** Milliseconds for reading: `12 ms`, `1.5 s`; from a minute on in the largest whole unit. */
export function durationWords(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`
  return wholeUnits(durationMs) ?? ''
}

function wholeUnits(durationMs: number): string | undefined {
  for (const [unit, unitMs] of units) {
    const count = Math.floor(durationMs / unitMs)
    if (count >= 1)
      return new Intl.NumberFormat(locale ?? 'en', {
        style: 'unit',
        unit,
        unitDisplay: 'long',
        useGrouping: false,
      }).format(count)
  }
  return undefined
}
