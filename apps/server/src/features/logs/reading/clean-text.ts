import { logEntryMaxBytes } from '@gatehouse/contract/log-levels'
import { stripColours } from './ansi.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Bytes of a log as text that is safe to look at: colours are taken out, invalid UTF-8 is replaced
 * (U+FFFD), control characters and those that turn the direction of writing are spelled out, as
 * `\x1b` or `\u202e`. Line ends are `\n` whatever they were; tabs stay.
 */
export function toCleanText(bytes: Uint8Array): string {
  return spellOut(decoder.decode(stripColours(bytes)))
}

/** Does the same for a text that comes from within a JSON line. */
export function cleanText(text: string): string {
  return text.includes('\x1b') ? toCleanText(Buffer.from(text, 'utf8')) : spellOut(text)
}

/** Cuts a text to what one entry may show, and never through the middle of a character. */
export function cutText(text: string, maxLength = logEntryMaxBytes): string {
  if (text.length <= maxLength) return text
  const isHalf = isHighSurrogate(text.charCodeAt(maxLength - 1))
  return text.slice(0, isHalf ? maxLength - 1 : maxLength)
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff

/** Drops the bytes of a character that the end of the piece cuts through. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.subarray(0, bytes.length - back) : bytes
    }
  }
  return bytes
}

function spellOut(text: string): string {
  let result = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0d && text.charCodeAt(at + 1) === 0x0a) {
      result += text.slice(from, at)
      from = at + 1
    } else if (isSpelledOut(code)) {
      result += text.slice(from, at) + spelled(code)
      from = at + 1
    }
  }
  return from === 0 ? text : result + text.slice(from)
}

/**
 * Control characters but tab and line feed, line and paragraph separators, and everything that
 * changes the direction of what follows. Joiners stay: Persian and emoji need them.
 */
function isSpelledOut(code: number): boolean {
  if (code < 0x20) return code !== 0x09 && code !== 0x0a
  if (code < 0x7f) return false
  return (
    code <= 0x9f ||
    code === 0x061c ||
    (code >= 0x200e && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069) ||
    code === 0xfeff
  )
}

const spelled = (code: number) =>
  code <= 0x9f
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
