import { psrLevel } from './levels.ts'

const openBracket = 0x5b
const closeBracket = 0x5d
const dash = 0x2d
const colon = 0x3a
const dot = 0x2e
const blank = 0x20

const zoneMaxLength = 40
const contextMaxLength = 128
/** How far after the date context and level are looked for, where other text precedes them. */
const betweenMaxLength = 1024

/**
 * Reads the heading that starts an entry of a standard log: `[date] context.LEVEL: text`. The date
 * has a `T` or a blank, fraction and zone are optional; the level is one of PSR-3's eight, in any
 * case; the context is free of white space. There may be other text between date and context; the
 * level is then in capitals, since prose like `java.lang.Error: …` names levels too, and the first
 * one counts. Each byte is looked at a few times at most, and about 1,200 bytes at most.
 *
 * One reader is used for millions of lines: its fields hold what it found until the next line.
 */
export class HeadingReader {
  dateEnd = 0
  betweenStart = 0
  /** Equal to `betweenStart` where context and level follow the date at once. */
  betweenEnd = 0
  contextStart = 0
  contextEnd = 0
  level = 0
  textStart = 0

  /** True when the line from `at` to `end` is a heading. */
  read(bytes: Uint8Array, at: number, end: number): boolean {
    if (bytes[at] !== openBracket || end - at < 28) return false
    if (!isMoment(bytes, at + 1)) return false
    const closed = endOfDate(bytes, at + 20, end)
    if (bytes[closed] !== closeBracket || bytes[closed + 1] !== blank) return false
    this.dateEnd = closed
    this.betweenStart = this.betweenEnd = closed + 2
    return this.#readContext(bytes, closed + 2, end) || this.#findContext(bytes, closed + 2, end)
  }

  #readContext(bytes: Uint8Array, start: number, end: number): boolean {
    const limit = Math.min(end, start + contextMaxLength)
    let lastDot = -1
    for (let at = start; at < limit; at++) {
      const byte = bytes[at] ?? 0
      if (byte <= blank) return false
      if (byte === dot) lastDot = at
      else if (byte === colon) {
        if (lastDot <= start || (bytes[at + 1] ?? 0) > blank) return false
        this.level = psrLevel(bytes, lastDot + 1, at)
        this.contextStart = start
        this.contextEnd = lastDot
        this.textStart = at + 1
        return this.level > 0
      }
    }
    return false
  }

  /** The first `context.LEVEL:` behind other text. */
  #findContext(bytes: Uint8Array, start: number, end: number): boolean {
    const limit = Math.min(end, start + betweenMaxLength)
    for (let at = start; at < limit; at++) {
      if (bytes[at] !== colon || (bytes[at + 1] ?? 0) > blank) continue
      const dotAt = startOfCapitals(bytes, at) - 1
      if (bytes[dotAt] !== dot) continue
      this.level = psrLevel(bytes, dotAt + 1, at)
      this.contextStart = startOfContext(bytes, start, dotAt)
      this.contextEnd = dotAt
      this.textStart = at + 1
      if (this.level === 0 || this.contextStart === dotAt) continue
      this.betweenEnd = this.contextStart
      while (this.betweenEnd > start && (bytes[this.betweenEnd - 1] ?? 0) <= blank)
        this.betweenEnd--
      return true
    }
    return false
  }
}

const levelMaxLength = 9

function startOfCapitals(bytes: Uint8Array, end: number): number {
  let at = end
  while (end - at <= levelMaxLength && isCapital(bytes[at - 1] ?? 0)) at--
  return at
}

const isCapital = (byte: number) => byte >= 0x41 && byte <= 0x5a

/** Back to the white space before it; `end` where there is none close enough, or a colon. */
function startOfContext(bytes: Uint8Array, start: number, end: number): number {
  const limit = Math.max(start, end - contextMaxLength)
  let at = end
  while (at > limit && (bytes[at - 1] ?? 0) > blank && bytes[at - 1] !== colon) at--
  return at === start || (bytes[at - 1] ?? 0) <= blank ? at : end
}

/** `2026-11-21 08:30:00`, 19 bytes; days and times that no calendar has are none. */
function isMoment(bytes: Uint8Array, at: number): boolean {
  const separator = bytes[at + 10] ?? 0
  return (
    bytes[at + 4] === dash &&
    bytes[at + 7] === dash &&
    (separator === blank || separator === 0x54 || separator === 0x74) &&
    bytes[at + 13] === colon &&
    bytes[at + 16] === colon &&
    twoDigits(bytes, at) >= 0 &&
    twoDigits(bytes, at + 2) >= 0 &&
    isWithin(twoDigits(bytes, at + 5), 1, 12) &&
    isWithin(twoDigits(bytes, at + 8), 1, 31) &&
    isWithin(twoDigits(bytes, at + 11), 0, 23) &&
    isWithin(twoDigits(bytes, at + 14), 0, 59) &&
    isWithin(twoDigits(bytes, at + 17), 0, 60)
  )
}

const isWithin = (value: number, min: number, max: number) => value >= min && value <= max

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = digit(bytes[at])
  const ones = digit(bytes[at + 1])
  return tens < 0 || ones < 0 ? -1 : tens * 10 + ones
}

const digit = (byte: number | undefined) =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : -1

/** Behind fraction and zone, where there are any. */
function endOfDate(bytes: Uint8Array, at: number, end: number): number {
  return bytes[at] === closeBracket ? at : skipZone(bytes, skipFraction(bytes, at, end), end)
}

function skipFraction(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== dot && bytes[at] !== 0x2c) return at
  let next = at + 1
  while (next < end && next < at + 10 && digit(bytes[next]) >= 0) next++
  return next === at + 1 ? at : next
}

/** `Z`, `+03:00`, `+0300`, `+03`, ` UTC`, ` Asia/Riyadh`, or nothing. */
function skipZone(bytes: Uint8Array, at: number, end: number): number {
  const start = bytes[at] === blank ? at + 1 : at
  const limit = Math.min(end, start + zoneMaxLength)
  let next = start
  while (next < limit && isZoneByte(bytes[next] ?? 0)) next++
  return next === start ? at : next
}

function isZoneByte(byte: number): boolean {
  const lower = byte | 0x20
  return (
    (lower >= 0x61 && lower <= 0x7a) ||
    digit(byte) >= 0 ||
    byte === dash ||
    byte === 0x2b ||
    byte === colon ||
    byte === 0x2f ||
    byte === 0x5f
  )
}
