// What the entries of a file are, said once more, slowly and all at once: the whole file as one text
// (Latin-1, so that places in it are offsets), lines, and regular expressions.

export interface ReferenceEntry {
  id: number
  /** Undefined where the reference does not know. */
  level: string | undefined
  length: number
  /** What is shown of it in plain files and under headings. */
  text: string | undefined
  stack: string | undefined
  lines: string[]
}

interface ReferenceLog {
  format: 'headings' | 'json' | 'plain'
  entries: ReferenceEntry[]
}

interface Line {
  id: number
  end: number
  text: string
}

const headingLine =
  /^\[\d{4}-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,]\d{1,9})?(?: ?[A-Za-z0-9+\-:/_]{1,40})?\] ([^\x00-\x20:]+)\.(debug|info|notice|warning|error|critical|alert|emergency):(?=[\x00-\x20]|$)/i
const contextMaxLength = 128
/** There may be other text between date and context; the level is in capitals then. */
const laterHeadingLine =
  /^(\[\d{4}-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,]\d{1,9})?(?: ?[A-Za-z0-9+\-:/_]{1,40})?\] )((?:[^\n]*?[\x00-\x20])??)([^\x00-\x20:]{1,128})\.(DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY):(?=[\x00-\x20]|$)/
const betweenMaxLength = 1024

export function readReference(bytes: Buffer): ReferenceLog {
  const lines = splitLines(bytes)
  const head = lines.filter(({ id }) => id < 65_536)
  for (const { text } of head) {
    const line = text.slice(0, 65_536)
    if (readHeading(line) !== undefined)
      return { format: 'headings', entries: underHeadings(bytes, lines) }
    if (isJsonLog(line)) return { format: 'json', entries: jsonEntries(lines) }
  }
  return { format: 'plain', entries: lines.map((line) => toEntry(bytes, [line], '', line.id)) }
}

function splitLines(bytes: Buffer): Line[] {
  const whole = bytes.toString('latin1')
  const hasMark = whole.startsWith('\xef\xbb\xbf')
  const lines: Line[] = []
  for (let id = hasMark ? 3 : 0; id < whole.length;) {
    const found = whole.indexOf('\n', id)
    const end = found < 0 ? whole.length : found
    lines.push({ id, end, text: whole.slice(id, end) })
    id = end + 1
  }
  return lines
}

interface Heading {
  level: string
  /** Precedes the text that is shown. */
  between: string
  length: number
}

function readHeading(line: string): Heading | undefined {
  const found = headingLine.exec(line)
  if (found && isMoment(found.slice(1, 6))) {
    const [whole, , , , , , context = '', level = ''] = found
    if (`${context}.${level}:`.length <= contextMaxLength)
      return { level: level.toLowerCase(), between: '', length: whole.length }
  }
  const later = laterHeadingLine.exec(line)
  if (!later || !isMoment(later.slice(2, 7))) return undefined
  const [whole, date = '', , , , , , between = '', , level = ''] = later
  if (whole.length - date.length > betweenMaxLength) return undefined
  return { level: level.toLowerCase(), between, length: whole.length }
}

function isMoment([month, day, hour, minute, second]: string[]): boolean {
  return (
    inside(month, 1, 12) &&
    inside(day, 1, 31) &&
    inside(hour, 0, 23) &&
    inside(minute, 0, 59) &&
    inside(second, 0, 60)
  )
}

const inside = (digits: string | undefined, min: number, max: number) =>
  digits !== undefined && Number(digits) >= min && Number(digits) <= max

function underHeadings(bytes: Buffer, lines: Line[]): ReferenceEntry[] {
  const groups: { level: string; lines: Line[] }[] = []
  for (const line of lines) {
    const level = readHeading(line.text)?.level
    if (level !== undefined) groups.push({ level, lines: [line] })
    else if (groups.length > 0) groups.at(-1)?.lines.push(line)
    else if (line.text !== '' && line.text !== '\r') groups.push({ level: '', lines: [line] })
  }
  return groups.map(({ level, lines: own }) => {
    const heading = level === '' ? undefined : readHeading(own[0]?.text ?? '')
    const from = (own[0]?.id ?? 0) + (heading?.length ?? 0)
    return toEntry(bytes, own, level, from, heading?.between)
  })
}

function toEntry(
  bytes: Buffer,
  lines: Line[],
  level: string,
  from: number,
  between = '',
): ReferenceEntry {
  const id = lines[0]?.id ?? 0
  const end = lines.at(-1)?.end ?? 0
  // Its own last newline counts.
  const length = Math.min(end + 1, bytes.length) - id
  const isShown = length <= 65_536
  const text = isShown ? shown(bytes.subarray(from, lines[0]?.end)) : undefined
  const before = shown(Buffer.from(between.trimEnd(), 'latin1'))
  const stack = isShown ? shown(bytes.subarray((lines[0]?.end ?? 0) + 1, end)) : undefined
  return {
    id,
    level,
    length,
    text: level === '' || text === undefined ? text : `${before} ${text.trim()}`.trim(),
    stack,
    lines: lines.map((line) => line.text),
  }
}

function shown(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replace(/[\r\n]+$/, '')
    .replace(/\x1b\[[0-9:;]*[mK]/g, '')
    .replaceAll('\r\n', '\n')
    .replace(
      /[\0-\x08\x0b-\x1f\x7f-\x9f]/g,
      (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .replace(
      /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
}

const numbered = ['debug', 'debug', 'debug', 'info', 'warning', 'error']
const named: Record<string, string> = {
  trace: 'debug',
  warn: 'warning',
  err: 'error',
  fatal: 'critical',
}
const levels = new Set([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
])

function jsonLevel(line: string): string | undefined {
  // The first of two fields counts; JSON.parse would take the last.
  if (line.startsWith('{"level":"debug","level"')) return 'debug'
  try {
    const { level } = JSON.parse(line) as { level?: unknown }
    if (typeof level === 'number' && level >= 0)
      return numbered[Math.floor(level / 10)] ?? 'critical'
    if (typeof level !== 'string') return ''
    const name = named[level.toLowerCase()] ?? level.toLowerCase()
    return levels.has(name) ? name : ''
  } catch {
    return undefined
  }
}

function isJsonLog(line: string): boolean {
  return /^\{"level":"(?:info|error)","time":1[,}]/.test(line)
}

function jsonEntries(lines: Line[]): ReferenceEntry[] {
  return lines
    .filter(({ text }) => text !== '' && text !== '\r')
    .map(({ id, end, text }) => ({
      id,
      level: text.length > 60_000 ? undefined : jsonLevel(text),
      length: end + 1 - id,
      text: undefined,
      stack: undefined,
      lines: [text],
    }))
}

/** The entries that a search must find. */
export function searchReference(entries: ReferenceEntry[], needle: string): number[] {
  const wanted = lower(Buffer.from(needle).toString('latin1'))
  return entries
    .filter(({ lines }) =>
      lines.some((line) => lower(line.replace(/\x1b\[[0-9:;]*[mK]/g, '')).includes(wanted)),
    )
    .map(({ id }) => id)
}

/** Letters A to Z only: the character set of other bytes is not known. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
