import type { AlarmCalendar } from '@gatehouse/contract'

const dayMs = 86_400_000
/** No rule looks further back. */
const daysMax = 120

/**
 * How much working time lies between two moments, in milliseconds. Days and hours are those of the calendar's
 * time zone, so that a change of the clocks there makes a day longer or shorter. Counts 120 days at most.
 */
export function workingMsBetween(calendar: AlarmCalendar, from: Date, to: Date): number {
  const { time_zone, weekdays } = calendar
  const dayOf = dayIn(time_zone)
  let total = 0
  const first = Math.max(from.getTime(), to.getTime() - daysMax * dayMs)
  // A day earlier and later: the day of the time zone may not be that of UTC.
  for (let at = first - dayMs; at <= to.getTime() + dayMs; at += dayMs) {
    const { date, weekday } = dayOf(new Date(at))
    if (!weekdays.includes(weekday)) continue
    const begin = Math.max(momentOf(date, calendar.from, time_zone), first)
    const end = Math.min(momentOf(date, calendar.to, time_zone), to.getTime())
    total += Math.max(0, end - begin)
  }
  return total
}

const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The date and the weekday (1: Monday) of a moment in a time zone. */
function dayIn(timeZone: string) {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const name = new Intl.DateTimeFormat('en', { timeZone, weekday: 'short' })
  return (moment: Date) => ({
    date: date.format(moment),
    weekday: weekdayNames.indexOf(name.format(moment)) + 1,
  })
}

/** The moment of `2026-06-01` and `08:00` in a time zone. A time that a change of the clocks skips is the next one. */
function momentOf(date: string, time: string, timeZone: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const wanted = Date.parse(`${date}T00:00:00.000Z`) + (hours * 60 + minutes) * 60_000
  const guess = wanted - offsetMs(wanted, timeZone)
  return wanted - offsetMs(guess, timeZone)
}

/** How far the clocks of a time zone are ahead of UTC at a moment. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(at))
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    of('hour'),
    of('minute'),
    of('second'),
  )
  return local - Math.floor(at / 1000) * 1000
}
