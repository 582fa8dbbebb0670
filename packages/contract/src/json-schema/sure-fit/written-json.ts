const letterU = 0x75

const encoder = new TextEncoder()
const escaped = encoder.encode('"\\/bfnrt')

/** The byte at a place; 0 behind the end. */
export const byteAt = (bytes: Uint8Array, at: number): number =>
  at < bytes.length ? (bytes[at] as number) : 0

export function afterSpace(bytes: Uint8Array, from: number): number {
  return from < bytes.length && (bytes[from] as number) > 0x20 ? from : spaceFrom(bytes, from)
}

function spaceFrom(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && isSpace(bytes[at] as number)) at++
  return at
}

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
export const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39
const isHexDigit = (byte: number) =>
  isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

/** Where an escape ends, or -1 where it is none; `at` is the place behind its backslash. */
export function afterEscape(bytes: Uint8Array, at: number): number {
  const byte = byteAt(bytes, at)
  if (byte !== letterU) return escaped.includes(byte) ? at + 1 : -1
  for (let digit = at + 1; digit < at + 5; digit++) if (!isHexDigit(byteAt(bytes, digit))) return -1
  return at + 5
}

/** Where this word ends, or -1 where something else is there. */
export function afterWord(bytes: Uint8Array, at: number, word: Uint8Array): number {
  return isAt(bytes, at, at + word.length, word) ? at + word.length : -1
}

/** Whether these are the bytes from one place to another. */
export function isAt(all: Uint8Array, from: number, end: number, bytes: Uint8Array): boolean {
  if (end - from !== bytes.length || end > all.length) return false
  for (let at = 0; at < bytes.length; at++) if (all[from + at] !== bytes[at]) return false
  return true
}

export function hashOf(bytes: Uint8Array, from: number, end: number): number {
  let hash = 0
  for (let at = from; at < end; at++) hash = addToHash(hash, bytes[at] as number)
  return hash
}
export const addToHash = (hash: number, byte: number): number => (Math.imul(hash, 31) + byte) | 0

/** Of UTF-8: bytes that do not continue a character. */
export function countCharacters(bytes: Uint8Array, from: number, end: number): number {
  let count = 0
  for (let at = from; at < end; at++) if (((bytes[at] as number) & 0xc0) !== 0x80) count++
  return count
}
