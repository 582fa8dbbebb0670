import type { LogEntry } from '@gatehouse/contract'
import { logEntryMaxBytes } from '@gatehouse/contract/log-levels'
import { cutText, toCleanText, wholeCharacters } from './clean-text.ts'
import { HeadingReader } from './heading.ts'
import { readJsonEntry, type EntryTexts } from './json-entry.ts'
import { levelNames, levelStyle } from './levels.ts'
import type { LineFormat } from './line-format.ts'
import { findTimeStamp } from './time-stamp.ts'

const newline = 0x0a
const heading = new HeadingReader()

interface RawEntry {
  start: number
  level: number
  /** Its bytes, at most `logEntryMaxBytes` of them. */
  bytes: Buffer
  /** There are more. */
  isCutOff: boolean
  /** Shown as the date in files that are not in standard format; 0 while it is not known. */
  lineNumber: number
}

/** An entry as the log viewer shows it (spec: logs). */
export function toRow(entry: RawEntry, format: LineFormat): LogEntry {
  const bytes = entry.isCutOff ? wholeCharacters(entry.bytes) : withoutLineEnds(entry.bytes)
  const texts = readTexts(bytes, entry, format)
  const text = cutText(texts.text)
  const stack = cutText(texts.stack, logEntryMaxBytes - text.length)
  const level = levelNames[entry.level] ?? ''
  return {
    id: entry.start,
    level,
    ...levelStyle(level),
    ...texts,
    text,
    stack,
    is_truncated:
      entry.isCutOff || text.length < texts.text.length || stack.length < texts.stack.length,
  }
}

function readTexts(bytes: Buffer, entry: RawEntry, format: LineFormat): EntryTexts {
  if (format === 'json') {
    const lineEnd = bytes.indexOf(newline)
    return readJsonEntry(lineEnd < 0 ? bytes : bytes.subarray(0, lineEnd), entry.isCutOff)
  }
  if (format === 'headings' && heading.read(bytes, 0, firstLineEnd(bytes))) {
    const { dateEnd, betweenStart, betweenEnd, contextStart, contextEnd, textStart } = heading
    const { text, stack } = textAndStack(bytes, textStart)
    const between = toCleanText(bytes.subarray(betweenStart, betweenEnd))
    return {
      date: toCleanText(bytes.subarray(1, dateEnd)),
      context: toCleanText(bytes.subarray(contextStart, contextEnd)),
      text: `${between} ${text.trim()}`.trim(),
      stack,
      request_id: '',
    }
  }
  const texts = { context: '', request_id: '', ...textAndStack(bytes, 0) }
  if (format === 'headings') return { ...texts, date: '' }
  const number = entry.lineNumber > 0 ? String(entry.lineNumber) : ''
  return { ...texts, date: findTimeStamp(texts.text) || number }
}

function textAndStack(bytes: Buffer, from: number): { text: string; stack: string } {
  const end = firstLineEnd(bytes)
  return {
    text: toCleanText(withoutLineEnds(bytes.subarray(from, end))),
    stack: toCleanText(bytes.subarray(end + 1)),
  }
}

function firstLineEnd(bytes: Buffer): number {
  const found = bytes.indexOf(newline)
  return found < 0 ? bytes.length : found
}

/** Without the line ends, LF or CRLF, and the empty lines that close an entry. */
function withoutLineEnds(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] === newline || bytes[end - 1] === 0x0d)) end--
  return bytes.subarray(0, end)
}
