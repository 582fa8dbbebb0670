import { MessageFault } from './message-fault.ts'

/** Bytes of a head, from its first line to the empty line; trailers have as many of their own. */
export const headBytesMax = 16 * 1024
export const headFieldsMax = 200

/** A head holds no control characters, and neither CR nor LF alone. Written so that it takes a step for each character. */
export const allowedInHead = /^[\t\x20-\x7e\x80-\xff]*(?:\r\n[\t\x20-\x7e\x80-\xff]*)*$/

/** By code: whether a character may stand in the name of a field (RFC 9110 §5.6.2). */
const isTokenCode = Uint8Array.from({ length: 256 }, (_, code) =>
  /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** A method, or the name of a field (RFC 9110 §5.6.2). */
export const isToken = (text: string): boolean => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text)

export const isTokenByte = (byte: number): boolean => isTokenCode[byte] === 1

/** Where the name of the field ends that begins at `start`: at its colon; -1: there is no such name. */
export function endOfName(text: string, start: number): number {
  let at = start
  while (isTokenCode[text.charCodeAt(at)] === 1) at++
  return at > start && text.charCodeAt(at) === 0x3a ? at : -1
}

export function endOfLine(text: string, start: number): number {
  const at = text.indexOf('\r\n', start)
  return at === -1 ? text.length : at
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

export function trimmed(text: string, start: number, end: number): string {
  let from = start
  let to = end
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

/** Trailers are held to the rules of header fields, and dropped. `text` ends before the empty line. */
export function checkTrailers(text: string): void {
  if (!allowedInHead.test(text))
    throw new MessageFault('malformed', 'a trailer holds a character it may not')
  let fields = 0
  for (let at = 0; at < text.length; fields++) {
    if (endOfName(text, at) === -1) throw new MessageFault('malformed', 'a trailer is malformed')
    if (fields === headFieldsMax) throw new MessageFault('too_large', 'too many trailers')
    at = endOfLine(text, at) + 2
  }
}
