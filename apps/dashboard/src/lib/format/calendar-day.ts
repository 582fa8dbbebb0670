const dayMs = 86_400_000
const formats = new Map<string | undefined, Intl.DateTimeFormat>()

/** Days of the calendar since 1970-01-01 in a time zone, the reader's own unless given. A day may have 23 to 25 hours. */
export function calendarDay(moment: Date, timeZone?: string): number {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(moment)
      .map((p) => [p.type, p.value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  return Date.UTC(part('year'), part('month') - 1, part('day')) / dayMs
}

/** The day as ISO 8601: `2026-01-31`. */
export const isoDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)

function formatIn(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}
