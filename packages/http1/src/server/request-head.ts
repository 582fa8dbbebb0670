import { METHODS } from 'node:http'
import {
  allowedInHead,
  endOfLine,
  endOfName,
  headBytesMax,
  isToken,
  trimmed,
} from '../head-text.ts'
import { MessageFault, RequestFault } from '../message-fault.ts'

/** The head of a request, and what its connection has to know of it. */
export interface RequestHead {
  readonly method: string
  /** As it came, in the form of a path, a URL or `*`: visible ASCII. */
  readonly target: string
  /** Of HTTP/1.x: 0 or 1. */
  readonly minor: number
  /** Name, value, name, value, as they came; blanks around values are cut off. */
  readonly fields: readonly string[]
  /** All behind the target and its blank: version and fields. */
  readonly rest: string
  /** -1: none is stated. Infinity: more than 15 digits. */
  readonly length: number
  readonly isChunked: boolean
  /** The client expects to send another request on this connection (RFC 9112 §9.3). */
  readonly isKept: boolean
  /** `Connection: upgrade` and an Upgrade field: what comes behind may be of another protocol (RFC 9110 §7.8). */
  readonly isUpgrade: boolean
}

const methods: ReadonlySet<string> = new Set(METHODS)
/** Methods are short: bytes without a blank that are more than this begin no request. */
export const methodBytesMax = Math.max(...METHODS.map((method) => method.length))

/** RFC 9112 §3.2: origin-form, absolute-form or asterisk-form. What is behind the beginning is for others to judge. */
const validTarget = /^(?:\/|[a-z]+:\/\/|\*$)[\x21-\x7e]*$/i

const malformed = (detail: string) => new MessageFault('malformed', detail)

/** What exceeds the bound of a head: its target alone (RFC 9110 §15.5.15), or all of it. */
export const tooLarge = (text: string) =>
  text.lastIndexOf('\r\n', headBytesMax) === -1
    ? new RequestFault('long_target', 'the target is too long')
    : new MessageFault('too_large', 'the head is too large')

/** What begins with this in place of a method of HTTP (RFC 9110 §9.1). */
export const unknownMethod = (text: string) =>
  isToken(text) ? new RequestFault('method', 'an unknown method') : malformed('no method of HTTP')

/**
 * Reads the head of a request by the letter of RFC 9112, §3 to §6: nothing is repaired, not even what a
 * reader may. `text` is Latin-1 and ends before the empty line. `known`: one that was read before; where only the
 * target differs, the rest of it is taken over, and `fields` are the same list. Throws MessageFault.
 */
export function readRequestHead(text: string, known: RequestHead | null = null): RequestHead {
  if (text.length > headBytesMax) throw tooLarge(text)
  const target = known === null ? null : targetBeside(text, known)
  if (known !== null && target !== null) return withTarget(known, target)
  if (!allowedInHead.test(text)) throw malformed('the head holds a character it may not')
  return new HeadReader(text)
}

/** The target of a head that is otherwise the known one; null: it is another, or no head at all. */
function targetBeside(text: string, { method, rest, target }: RequestHead): string | null {
  const start = method.length + 1
  const end = text.length - rest.length - 1
  if (end <= start || !text.startsWith(method) || text.slice(end + 1) !== rest) return null
  if (text.charCodeAt(start - 1) !== 0x20 || text.charCodeAt(end) !== 0x20) return null
  const found = text.slice(start, end)
  // Neither blanks nor line ends are in a target: method, target and rest are where the letter wants them.
  return found === target || (method !== 'CONNECT' && validTarget.test(found)) ? found : null
}

const withTarget = (
  { method, minor, fields, rest, length, isChunked, isKept, isUpgrade }: RequestHead,
  target: string,
): RequestHead => ({
  method,
  target,
  minor,
  fields,
  rest,
  length,
  isChunked,
  isKept,
  isUpgrade,
})

/** Its fields are the head; one object for both. */
class HeadReader implements RequestHead {
  method = ''
  target = ''
  minor = 1
  fields: string[] = []
  rest = ''
  length = -1
  isChunked = false
  isKept = true
  isUpgrade = false
  #isClosed = false
  #hasUpgrade = false
  #isUpgradeNamed = false

  constructor(text: string) {
    const lineEnd = endOfLine(text, 0)
    this.#readLine(text, lineEnd)
    for (let at = lineEnd + 2; at < text.length;) at = this.#readField(text, at)
    // RFC 9112 §6.1: each of these is how requests are smuggled.
    if (this.isChunked && (this.length !== -1 || this.minor === 0)) {
      throw malformed('the length of the body is ambiguous')
    }
    this.isUpgrade = this.#hasUpgrade && this.#isUpgradeNamed
    // Whatever becomes of it, what comes behind is never read as a request.
    if (this.isUpgrade) this.isKept = false
  }

  #readLine(text: string, lineEnd: number): void {
    const methodEnd = text.indexOf(' ')
    if (methodEnd === -1 || methodEnd > lineEnd) throw malformed('no request line')
    this.method = text.slice(0, methodEnd)
    const from = methodEnd + 1
    const to = text.indexOf(' ', from)
    if (to === -1 || to > lineEnd || to === from) throw malformed('no target, or no version')
    this.target = text.slice(from, to)
    this.rest = text.slice(to + 1)
    this.minor = minorOf(text, to + 1, lineEnd)
    if (!methods.has(this.method)) throw unknownMethod(this.method)
    if (this.method !== 'CONNECT' && !validTarget.test(this.target)) throw malformed('no target')
    this.isKept = this.minor === 1
  }

  /** Where the next line begins. */
  #readField(text: string, start: number): number {
    const colonAt = endOfName(text, start)
    if (colonAt === -1) throw malformed('no header field')
    const lineEnd = endOfLine(text, colonAt)
    const name = text.slice(start, colonAt)
    const value = trimmed(text, colonAt + 1, lineEnd)
    this.fields.push(name, value)
    // Only names of these lengths concern the connection.
    switch (name.length) {
      case 7:
      case 10:
      case 14:
      case 17:
        this.#frame(name, value)
    }
    return lineEnd + 2
  }

  #frame(name: string, value: string): void {
    switch (name.toLowerCase()) {
      case 'content-length':
        if (this.length !== -1 || !/^(?:0|[1-9]\d{0,18})$/.test(value))
          throw malformed('an invalid length')
        this.length = value.length > 15 ? Infinity : Number(value)
        return
      case 'transfer-encoding':
        if (this.isChunked || value.toLowerCase() !== 'chunked')
          throw malformed('a transfer coding other than chunked')
        this.isChunked = true
        return
      case 'upgrade':
        this.#hasUpgrade = true
        return
      case 'connection':
        this.#readConnection(value)
    }
  }

  #readConnection(value: string): void {
    for (const option of value.toLowerCase().split(',')) {
      const name = option.trim()
      if (name === 'close') this.#isClosed = true
      else if (name === 'keep-alive') this.isKept = true
      else if (name === 'upgrade') this.#isUpgradeNamed = true
    }
    if (this.#isClosed) this.isKept = false
  }
}

/** Of `HTTP/1.x`, and nothing behind it. A later minor version is read as the last that is known (RFC 9110 §2.5). */
function minorOf(text: string, start: number, lineEnd: number): number {
  const minor = text.charCodeAt(start + 7) - 0x30
  if (lineEnd - start === 8 && text.startsWith('HTTP/1.', start)) {
    if (minor === 0 || minor === 1) return minor
    if (minor > 1 && minor <= 9) return 1
  }
  throw /^HTTP\/\d\.\d$/.test(text.slice(start, lineEnd))
    ? new RequestFault('version', 'another version of HTTP')
    : malformed('no version of HTTP')
}
