import { namedLevel, numberedLevel, psrLevel } from './levels.ts'

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b

/** So much of a line is looked at for its fields. */
const lookMaxBytes = 64 * 1024
const wordMaxBytes = 32

const levelKey = Buffer.from('level')
const otherKeys = ['time', 'timestamp', 'msg', 'message'].map((key) => Buffer.from(key))

/** Is this a log line of pino's kind: an object with a level, and with a time or a message? */
export function isJsonLogLine(bytes: Uint8Array, at: number, end: number): boolean {
  return (
    jsonLevel(bytes, at, end) > 0 && otherKeys.some((key) => findField(bytes, at, end, key) >= 0)
  )
}

/** The level of a JSON line, which may be cut off; 0 for none. */
export function jsonLevel(bytes: Uint8Array, at: number, end: number): number {
  const value = findField(bytes, at, end, levelKey)
  if (value < 0) return 0
  const limit = Math.min(end, value + wordMaxBytes)
  if (bytes[value] !== quote) return numberedLevel(readDigits(bytes, value, limit))
  for (let close = value + 1; close < limit; close++) {
    if (bytes[close] !== quote) continue
    return psrLevel(bytes, value + 1, close) || namedLevel(latin1(bytes, value + 1, close))
  }
  return 0
}

const latin1 = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to))

/** The whole number at `at`, or -1. */
function readDigits(bytes: Uint8Array, at: number, end: number): number {
  let value = -1
  for (let next = at; next < end; next++) {
    const digit = (bytes[next] ?? 0) - 0x30
    if (digit < 0 || digit > 9) break
    value = Math.max(value, 0) * 10 + digit
  }
  return value
}

/**
 * A field of a line that may be cut off: a text, or a number's digits; '' where it is missing or is
 * something else.
 */
export function readField(bytes: Uint8Array, at: number, end: number, key: string): string {
  const value = findField(bytes, at, end, Buffer.from(key))
  if (value < 0) return ''
  const isText = bytes[value] === quote
  const close = isText ? skipString(bytes, value, end) : skipNumber(bytes, value, end)
  try {
    const parsed: unknown = JSON.parse(Buffer.from(bytes.subarray(value, close)).toString('utf8'))
    return typeof parsed === 'string' || typeof parsed === 'number' ? String(parsed) : ''
  } catch {
    // Cut off in its middle.
    return ''
  }
}

function skipNumber(bytes: Uint8Array, at: number, end: number): number {
  let next = at
  while (next < Math.min(end, at + wordMaxBytes) && !isSeparator(bytes[next] ?? 0)) next++
  return next
}

const isSeparator = (byte: number) => byte === 0x2c || byte === 0x7d || byte <= 0x20

/**
 * Where the value of a field of the outermost object begins, or -1. One pass, no recursion; the
 * first of two fields with one name counts.
 */
function findField(bytes: Uint8Array, at: number, end: number, key: Uint8Array): number {
  const limit = Math.min(end, at + lookMaxBytes)
  const start = skipBlanks(bytes, at, limit)
  if (bytes[start] !== openBrace) return -1
  let depth = 1
  for (let next = start + 1; next < limit; next++) {
    const byte = bytes[next]
    if (byte === quote) {
      const close = skipString(bytes, next, limit)
      if (depth === 1 && close - next - 2 === key.length && equals(bytes, next + 1, key)) {
        const value = behindColon(bytes, close, limit)
        if (value >= 0) return value
      }
      next = close - 1
    } else if (byte === openBrace || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) {
      if (--depth === 0) return -1
    }
  }
  return -1
}

/** A text with a colon behind it is a name: where its value begins. Without one it is a value: -1. */
function behindColon(bytes: Uint8Array, at: number, limit: number): number {
  const colon = skipBlanks(bytes, at, limit)
  if (colon >= limit || bytes[colon] !== 0x3a) return -1
  const value = skipBlanks(bytes, colon + 1, limit)
  return value < limit ? value : -1
}

/** Behind the closing quote of the string that opens at `at`, or `end`. */
function skipString(bytes: Uint8Array, at: number, end: number): number {
  for (let next = at + 1; next < end; next++) {
    const byte = bytes[next]
    if (byte === backslash) next++
    else if (byte === quote) return next + 1
  }
  return end
}

function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  let next = at
  while (next < end && (bytes[next] ?? 0) <= 0x20) next++
  return next
}

function equals(bytes: Uint8Array, at: number, key: Uint8Array): boolean {
  for (let index = 0; index < key.length; index++) {
    if (bytes[at + index] !== key[index]) return false
  }
  return true
}
