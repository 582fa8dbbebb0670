const dayMs = 86_400_000

interface LocalDays {
  /** Dates, `2026-01-31`, the oldest first; the last is that of the moment. */
  dates: string[]
  /** The first moment of each, and of the day after the last, in UTC. */
  bounds: string[]
}

/** The last days in a time zone, today included. A day may have 23 or 25 hours. */
export function lastLocalDays(now: Date, zone: string, count: number): LocalDays {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, ...dateParts })
  const today = Date.parse(`${format.format(now)}T00:00:00Z`)
  const nameOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const names = Array.from({ length: count + 1 }, (_, at) =>
    nameOf(today + (at + 1 - count) * dayMs),
  )
  const clock = new Intl.DateTimeFormat('en-CA', { timeZone: zone, ...dateParts, ...timeParts })
  const bounds = names.map((name) => startOf(name, clock, format))
  return { dates: names.slice(0, -1), bounds }
}

const dateParts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
const timeParts = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const

/** The first moment of a date. Clocks may be changed at midnight: it is looked for before and after a change. */
function startOf(name: string, clock: Intl.DateTimeFormat, format: Intl.DateTimeFormat): string {
  const midnight = Date.parse(`${name}T00:00:00Z`)
  const found = [-dayMs, dayMs]
    .map((away) => midnight - offsetAt(midnight + away, clock))
    .toSorted((one, other) => one - other)
    .find((moment) => format.format(moment) === name)
  return new Date(found ?? midnight).toISOString()
}

/** By how much the clocks of the zone are ahead of UTC. */
function offsetAt(moment: number, clock: Intl.DateTimeFormat): number {
  const part = Object.fromEntries(
    clock.formatToParts(moment).map(({ type, value }) => [type, value]),
  )
  const { year, month, day, hour, minute, second } = part
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - moment
}
