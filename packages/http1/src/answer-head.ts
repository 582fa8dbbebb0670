import { UpstreamFailure } from '@gatehouse/upstream/http'
import type { AnswerFieldNames } from './answer-field-names.ts'
import type { FieldBlock } from './server/field-block.ts'
import { endOfLine, allowedInHead, headFieldsMax, trimmed } from './head-text.ts'

/** Fields that occur more than once are lists. */
export type AnswerHeaders = Record<string, string | string[] | undefined>

/** The head of an answer, with the fields that its connection needs. */
export interface AnswerHead {
  status: number
  isHttp10: boolean
  /** -1: none is stated. */
  length: number
  isChunked: boolean
  /** All of `Connection`, as it came; null: not there. */
  connection: string | null
  keepAlive: string | null
  /** Name, value, name, value; without those that belong to the connection. */
  passed: readonly string[]
  /** `passed` as it is sent to clients; null until it is sent. */
  block: FieldBlock | null
  /** The head as it came, without the empty line. Latin-1. */
  text: string
}

type HeadBeingRead = AnswerHead & { passed: string[] }

const malformed = (detail: string) => new UpstreamFailure('protocol', detail)

/**
 * Reads the head of an answer by the letter of RFC 9112, §4 to §6: nothing is repaired that two
 * readers could take for different things. `text` ends before the empty line. `names` decides which
 * fields are passed on. Throws UpstreamFailure.
 */
export function readAnswerHead(text: string, names: AnswerFieldNames): AnswerHead {
  if (!allowedInHead.test(text))
    throw malformed('the head of the answer holds a character it may not')
  const lineEnd = endOfLine(text, 0)
  const head: HeadBeingRead = {
    status: readStatus(text, lineEnd),
    isHttp10: text.charCodeAt(7) === 0x30,
    length: -1,
    isChunked: false,
    connection: null,
    keepAlive: null,
    passed: [],
    block: null,
    text,
  }
  readFields(text, lineEnd + 2, head, names)
  if (head.isChunked && (head.length !== -1 || head.isHttp10)) {
    throw malformed('the head of the answer contradicts itself')
  }
  return head
}

/** `HTTP/1.1 200` and a reason or none; its end is at `lineEnd`. A status is from 100 to 599 (RFC 9110 §15). */
function readStatus(text: string, lineEnd: number): number {
  const minor = text.charCodeAt(7)
  const isVersion = text.startsWith('HTTP/1.') && (minor === 0x30 || minor === 0x31)
  const hundreds = text.charCodeAt(9) - 0x30
  const tens = text.charCodeAt(10) - 0x30
  const ones = text.charCodeAt(11) - 0x30
  const isNumber =
    hundreds >= 1 && hundreds <= 5 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9
  const isDelimited =
    text.charCodeAt(8) === 0x20 && (lineEnd === 12 || text.charCodeAt(12) === 0x20)
  if (!isVersion || !isNumber || !isDelimited || lineEnd < 12) {
    throw malformed('the answer does not begin with a status line of HTTP/1')
  }
  return hundreds * 100 + tens * 10 + ones
}

function readFields(
  text: string,
  start: number,
  head: HeadBeingRead,
  names: AnswerFieldNames,
): void {
  let fields = 0
  for (let at = start; at < text.length; fields++) {
    if (fields === headFieldsMax) {
      throw new UpstreamFailure('too_large', 'the answer has too many header fields')
    }
    const lineEnd = endOfLine(text, at)
    const colonAt = text.indexOf(':', at)
    if (colonAt === -1 || colonAt > lineEnd) throw malformed('a header field has no colon')
    takeField(text.slice(at, colonAt), trimmed(text, colonAt + 1, lineEnd), head, names)
    at = lineEnd + 2
  }
}

function takeField(
  name: string,
  value: string,
  head: HeadBeingRead,
  names: AnswerFieldNames,
): void {
  switch (names.kindOf(name)) {
    case 'pass':
      head.passed.push(name, value)
      return
    case 'drop':
      return
    case 'set-cookie':
      if (names.rules.isCookiePassed(value)) head.passed.push(name, value)
      return
    case 'content-length':
      if (head.length !== -1 || !/^\d{1,15}$/.test(value)) {
        throw malformed('the answer states an invalid length, or two')
      }
      head.length = Number(value)
      head.passed.push(name, value)
      return
    case 'transfer-encoding':
      if (head.isChunked || value.toLowerCase() !== 'chunked') {
        throw malformed('the answer states a transfer coding other than chunked')
      }
      head.isChunked = true
      return
    case 'connection':
      head.connection = head.connection === null ? value : `${head.connection},${value}`
      return
    case 'keep-alive':
      head.keepAlive = value
      return
    case 'invalid':
      throw malformed('a header field of the answer has an invalid name')
  }
}

/** All fields by their lower-case names, for callers that need more than the passed ones. */
export function allFields({ text }: AnswerHead): AnswerHeaders {
  const headers: AnswerHeaders = Object.create(null)
  for (let at = endOfLine(text, 0) + 2; at < text.length;) {
    const lineEnd = endOfLine(text, at)
    const colonAt = text.indexOf(':', at)
    const name = text.slice(at, colonAt).toLowerCase()
    const value = trimmed(text, colonAt + 1, lineEnd)
    const known = headers[name]
    if (known === undefined) headers[name] = value
    else headers[name] = typeof known === 'string' ? [known, value] : [...known, value]
    at = lineEnd + 2
  }
  return headers
}
