/**
 * Times of day of a zone, both ways. A wall time is what the clocks there show, as the milliseconds of the
 * same date and time in UTC.
 */

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** True for a name of the IANA database, such as `Europe/Berlin`, and for `UTC`. */
export function isTimeZone(zone: string): boolean {
  // Intl also takes offsets such as +02:00, which know no daylight saving.
  if (zone !== 'UTC' && !/^[A-Za-z]\w*(\/[\w+-]+)+$/.test(zone)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}

/** How far the clocks of the zone are ahead of UTC at this moment. */
export function offsetMs(zone: string, moment: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes, seconds] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? []
  const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
  return (sign === '-' ? -size : size) * 1000
}

/** The moments at which the clocks of the zone show this: two where they are set back over it, or none. */
export function momentsOf(zone: string, wall: number): number[] {
  const offsets = new Set([offsetMs(zone, wall - dayMs), offsetMs(zone, wall + dayMs)])
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((moment) => moment + offsetMs(zone, moment) === wall)
    .toSorted((one, other) => one - other)
}

/** The first moment at which the clocks show this wall time or a later one. To the second. */
export function firstMomentFrom(zone: string, wall: number): number {
  let before = wall - dayMs
  let after = wall + dayMs
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000
    if (middle + offsetMs(zone, middle) < wall) before = middle
    else after = middle
  }
  return after
}
