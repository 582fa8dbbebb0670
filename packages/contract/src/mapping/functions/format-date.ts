/** What a date function could not do, as a sentence about the value or the pattern. */
type FormattedDate = { ok: true; text: string } | { ok: false; message: string }

const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/
const token = /yyyy|yy|MM|M|dd|d|HH|mm|ss|SSS|XXX|'(?:[^']|'')*'|[a-zA-Z]|[^a-zA-Z']+|'/g

interface Moment {
  /** The local time as if it were UTC, in milliseconds. */
  localMs: number
  hasTime: boolean
  /** Minutes east of UTC; undefined where the text names no zone. */
  offset: number | undefined
}

/**
 * Writes a date or time of ISO 8601 by a pattern of `yyyy yy MM M dd d HH mm ss SSS XXX`, text in single
 * quotes, and anything that is no letter. `zone` (`Z` or like `+03:00`) moves a time that names its own.
 * Only offsets: names of zones mean something else on each machine.
 */
export function formatDate(text: string, pattern: string, zone: string): FormattedDate {
  const moment = readMoment(text)
  if (!moment)
    return refuse(
      `${JSON.stringify(text.slice(0, 60))} is not a date of ISO 8601, like 2026-11-30 or 2026-11-30T08:15:00Z.`,
    )
  const target = zone === '' ? moment.offset : offsetOf(zone)
  if (zone !== '' && target === undefined)
    return refuse(
      `${JSON.stringify(zone.slice(0, 20))} is not a zone: write Z, or an offset like +03:00.`,
    )
  if (zone !== '' && moment.offset === undefined)
    return refuse('the value names no zone, so it cannot be moved to another.')
  const movedMs = ((target ?? 0) - (moment.offset ?? 0)) * 60_000
  const moved = { ...moment, localMs: moment.localMs + movedMs, offset: target }
  return write(moved, pattern)
}

function readMoment(text: string): Moment | undefined {
  const [whole, year, month, day, hour, minute = '0', second = '0', fraction = '0', zone] =
    iso.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const parts = [year, month, day, hour ?? '0', minute, second].map(Number)
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = parts
  const date = new Date(0)
  date.setUTCFullYear(y, m - 1, d)
  const isReal = date.getUTCMonth() === m - 1 && date.getUTCDate() === d && y > 0
  if (!isReal || h > 23 || min > 59 || s > 59) return undefined
  date.setUTCHours(h, min, s, Number(fraction.padEnd(3, '0').slice(0, 3)))
  const offset = zone === undefined ? undefined : offsetOf(zone)
  if (zone !== undefined && offset === undefined) return undefined
  return { localMs: date.getTime(), hasTime: hour !== undefined, offset }
}

function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const [whole, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  if (whole === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

function write(moment: Moment, pattern: string): FormattedDate {
  const date = new Date(moment.localMs)
  const pieces: string[] = []
  for (const [piece] of pattern.matchAll(token)) {
    const written = /^[a-zA-Z]/.test(piece) ? writePiece(piece, date, moment) : unquote(piece)
    if (written === undefined) return refuse(whyNot(piece, moment))
    pieces.push(written)
  }
  return { ok: true, text: pieces.join('') }
}

function writePiece(piece: string, date: Date, { hasTime, offset }: Moment): string | undefined {
  const year = date.getUTCFullYear().toString().padStart(4, '0')
  if (piece === 'yyyy') return year
  if (piece === 'yy') return year.slice(-2)
  if (piece === 'MM' || piece === 'M') return padded(date.getUTCMonth() + 1, piece.length)
  if (piece === 'dd' || piece === 'd') return padded(date.getUTCDate(), piece.length)
  if (!hasTime) return undefined
  if (piece === 'HH') return padded(date.getUTCHours(), 2)
  if (piece === 'mm') return padded(date.getUTCMinutes(), 2)
  if (piece === 'ss') return padded(date.getUTCSeconds(), 2)
  if (piece === 'SSS') return padded(date.getUTCMilliseconds(), 3)
  return piece === 'XXX' && offset !== undefined ? offsetText(offset) : undefined
}

function whyNot(piece: string, { hasTime, offset }: Moment): string {
  if (['HH', 'mm', 'ss', 'SSS'].includes(piece)) return `the value has no time for ${piece}.`
  if (piece === 'XXX' && (!hasTime || offset === undefined))
    return 'the value names no zone for XXX.'
  if (piece === "'") return 'a quote in the pattern is not closed.'
  return `the pattern has no ${piece}: use yyyy, yy, MM, M, dd, d, HH, mm, ss, SSS and XXX, and put other letters in single quotes.`
}

const unquote = (piece: string): string | undefined => {
  if (!piece.startsWith("'")) return piece
  if (piece.length === 1) return undefined
  return piece === "''" ? "'" : piece.slice(1, -1).replaceAll("''", "'")
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z'
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}`
}

const padded = (value: number, length: number) => String(value).padStart(length, '0')

const refuse = (message: string): FormattedDate => ({ ok: false, message })
