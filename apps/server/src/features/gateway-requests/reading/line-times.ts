import { readBetween } from './access-files.ts'

const lineFeed = 0x0a
const timeMark = Buffer.from('"time":"')
const timeLength = '2026-11-21T10:00:00.000Z'.length
/** The time stands at the beginning of a line. */
const lookBytes = 128
/** A line that is longer is none of ours. */
const lineMaxBytes = 64 * 1024

/** The time of the line at `at`, ISO 8601; undefined where it states none. */
export function timeAt(bytes: Buffer, at: number): string | undefined {
  const head = bytes.subarray(at, at + lookBytes)
  const found = head.indexOf(timeMark)
  if (found < 0) return undefined
  const text = head.toString(
    'latin1',
    found + timeMark.length,
    found + timeMark.length + timeLength,
  )
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? text : undefined
}

/** Behind the last line feed before `size`: what follows is still being written. */
export function endOfLines(fd: number, size: number): number {
  const start = Math.max(0, size - lineMaxBytes)
  const found = readBetween(fd, start, size).lastIndexOf(lineFeed)
  return found < 0 ? start : start + found + 1
}

/** So many bytes are read anyway, and need no closer search. */
const nearBytes = 64 * 1024

/** A place before `end` behind which every line has ended after `moment`. Lines are in order of their times. */
export function placeBehind(fd: number, end: number, moment: string): number {
  let low = 0
  let high = end
  while (high - low > nearBytes) {
    const line = firstLineFrom(fd, low + Math.floor((high - low) / 2), high)
    if (line === undefined) return high
    if (line.time > moment) high = line.at
    else low = line.at
  }
  return high
}

/** The first whole line behind `from` that states its time. */
function firstLineFrom(fd: number, from: number, to: number) {
  const bytes = readBetween(fd, from, Math.min(to, from + lineMaxBytes))
  let at = bytes.indexOf(lineFeed) + 1
  while (at > 0 && at < bytes.length) {
    const time = timeAt(bytes, at)
    if (time !== undefined) return { at: from + at, time }
    at = bytes.indexOf(lineFeed, at) + 1
  }
  return undefined
}

/** When the first line of a file was written; undefined: it holds none. */
export const firstTime = (fd: number) => timeAt(readBetween(fd, 0, lookBytes), 0)
