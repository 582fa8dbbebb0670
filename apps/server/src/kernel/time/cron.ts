import type { FieldErrors } from '@gatehouse/contract'
import { Cron } from 'croner'
import { firstMomentFrom, isTimeZone, momentsOf, offsetMs } from './zone-time.ts'

const dayMs = 86_400_000
/** No zone sets its clocks back by more than this at once, except for a change of the date line. */
const setBackMaxMs = 3 * 3_600_000
const cronMaxLength = 100

const parts = [
  { name: 'minute', hint: '0 to 59' },
  { name: 'hour', hint: '0 to 23' },
  { name: 'day of the month', hint: '1 to 31, or L for the last' },
  { name: 'month', hint: '1 to 12, or JAN to DEC' },
  { name: 'day of the week', hint: '0 to 7 from Sunday to Sunday, or SUN to SAT' },
] as const

/** The problems of a schedule by field, `cron` and `time_zone`; empty where it can be carried out. */
export function cronProblems({ cron, time_zone }: { cron: string; time_zone: string }) {
  const problems: FieldErrors = {}
  const ofCron = problemsOf(cron)
  if (ofCron.length > 0) problems['cron'] = ofCron
  if (!isTimeZone(time_zone))
    problems['time_zone'] = ['Choose a time zone by its name, such as Europe/Berlin, or UTC.']
  return problems
}

function problemsOf(cron: string): string[] {
  if (cron.length > cronMaxLength) return [`Use at most ${cronMaxLength} characters.`]
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== parts.length)
    return [
      fields.length === 6
        ? 'Use five fields: seconds are not supported.'
        : 'Use five fields: minute, hour, day of the month, month and day of the week.',
    ]
  const wrong = parts.flatMap(({ name, hint }, index) =>
    isField(fields[index] ?? '', index)
      ? []
      : [`The ${name} can’t be read: use ${hint}, with * , - and /.`],
  )
  if (wrong.length > 0) return wrong
  return wallAfter(fields.join(' '), Date.UTC(2000, 0, 1)) === null
    ? ['There is no such day in any year.']
    : []
}

function isField(field: string, index: number): boolean {
  if (!/^[\da-z*,/#-]+$/i.test(field)) return false
  // A name of another field and W would be read, but not as most people mean it.
  if (index < 2 && /[a-z#]/i.test(field)) return false
  if (index === 2 && !/^(?:[\d*,/-]|L)+$/i.test(field)) return false
  try {
    read(parts.map((_, at) => (at === index ? field : '*')).join(' '))
    return true
  } catch {
    return false
  }
}

/** Without a function to call, croner starts no timer. */
const read = (cron: string) => new Cron(cron, { mode: '5-part', timezone: 'UTC' })

/** The next wall time that the expression names, whether the clocks show it or not. */
function wallAfter(cron: string, wall: number): number | null {
  return read(cron).nextRun(new Date(wall))?.getTime() ?? null
}

/**
 * The first moment after `after` that the expression names in this zone, or null if there is none. Whole
 * minutes. The expression and the zone have to be valid, see `cronProblems`.
 *
 * Where clocks are set forward, a time of day that is left out counts at the first moment after the gap,
 * together with all others of that gap. Where they are set back, a time that they show twice counts the
 * first time only. An expression for every hour (`*` in the second field) is about intervals instead: it
 * counts whenever the clocks show one of its minutes, so that no hour is left out and none is counted twice.
 *
 * croner has rules of its own here that differ by the form of the expression: it names wall times for us,
 * and the zone is applied to them here.
 */
export function nextRunAt(cron: string, zone: string, after: Date): Date | null {
  const moment = isEveryHour(cron)
    ? nextInterval(cron, zone, after.getTime())
    : nextTimeOfDay(cron, zone, after.getTime())
  return moment === null ? null : new Date(moment)
}

const isEveryHour = (cron: string) => /^\*(\/1)?$/.test(cron.trim().split(/\s+/)[1] ?? '')

function nextTimeOfDay(cron: string, zone: string, after: number): number | null {
  let wall = wallAfter(cron, after + offsetMs(zone, after))
  while (wall !== null) {
    const moment = momentsOf(zone, wall)[0] ?? firstMomentFrom(zone, wall)
    if (moment > after) return moment
    wall = wallAfter(cron, wall)
  }
  return null
}

function nextInterval(cron: string, zone: string, after: number): number | null {
  const offset = offsetMs(zone, after)
  const now = after + offset
  const next = wallAfter(cron, now)
  if (next !== null && next - now < dayMs && offsetMs(zone, next - offset) === offset)
    return next - offset
  // The clocks change before it, so that they may show once more what they have shown already.
  let earliest: number | null = null
  let wall = wallAfter(cron, now - setBackMaxMs)
  while (wall !== null && (earliest === null || wall <= now)) {
    for (const moment of momentsOf(zone, wall))
      if (moment > after && (earliest === null || moment < earliest)) earliest = moment
    wall = wallAfter(cron, wall)
  }
  return earliest
}
