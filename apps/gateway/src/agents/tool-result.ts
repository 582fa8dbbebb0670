import { isUtf8 } from 'node:buffer'
import type { SnapshotTool } from '@gatehouse/contract/gateway'
import { isJsonType } from '../validation/check-request.ts'

/** What became of a call. */
export interface ToolOutcome {
  requestId: string
  /** As the upstream or the gateway has answered; 0: the answer broke off. */
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** More of it was there than is taken. */
  isCut: boolean
  /** A refusal of the gateway, or what the upstream failed by; null: the upstream has answered. */
  code: string | null
  /** Something may have left to an upstream. */
  isSent: boolean
  /** The gateway has answered in place of the upstream, which was not called. */
  isMock: boolean
}

/** Of the body of an answer, as an agent gets it. */
export const resultBytesMax = 256 * 1024

/** Bytes of a picture or a sound in a result, which grow by a third. */
const inlineBytesMax = (resultBytesMax * 3) / 4

/** Of a body that is no text: it is left to be fetched. */
export const linkedBytesMax = 2 * 1024 * 1024

/** Keeps bytes to be fetched, and returns where. */
export type KeepAnswer = (mimeType: string, body: Buffer) => string

/** How much of an answer is taken. */
export const takenBytesMax = (contentType: string): number =>
  contentType === '' || isTextType(contentType) ? resultBytesMax : linkedBytesMax

/** The fields of a result, as JSON without the braces: `content`, `structuredContent` and `isError`. */
export function resultFields(
  { effect, answer_schema }: Pick<SnapshotTool, 'effect' | 'answer_schema'>,
  outcome: ToolOutcome,
  /** The tool that says what became of a call; undefined: none that the caller may use. */
  askBy: string | undefined,
  keep: KeepAnswer,
): string {
  if (isLost(outcome)) return failed([lostWords(effect, askBy)])
  const { status, code, headers } = outcome
  if (/^text\/event-stream/i.test(headers['content-type'] ?? '')) return failed([streamWords])
  const content = contentOf(outcome, keep)
  if (status >= 300) {
    const by = code === null ? 'The API answered' : 'The gateway refused the call'
    const words = `${by} with status ${status}.${retryWords(outcome)}${doubtWords(effect, outcome, askBy)}`
    return failed([words, ...content.texts], content.others)
  }
  // Clients insist on `structuredContent` where a schema is given, unless it is an error.
  const isFit = answer_schema === '' || content.structured !== null
  const mockNote = outcome.isMock ? [textItem(mockWords)] : []
  const items = [...content.texts.map(textItem), ...content.others, ...mockNote]
  const structured = content.structured === null ? '' : `,"structuredContent":${content.structured}`
  return `"content":[${items.join()}]${structured}${isFit ? '' : ',"isError":true'}`
}

const mockWords = 'The gateway gave this answer by itself: no API was called.'

const streamWords =
  'The API answers with a stream of events, which has no end that a tool could wait for.'

/** A tool error: what the agent reads and can act by. */
export const failed = (texts: readonly string[], others: readonly string[] = []): string =>
  `"content":[${[...texts.map(textItem), ...others].join()}],"isError":true`

const textItem = (text: string) => `{"type":"text","text":${JSON.stringify(text)}}`

/** It was sent, or may have been, and no whole answer came back. A sign-in that was refused is one. */
const isLost = ({ status, code, isSent }: ToolOutcome) =>
  isSent &&
  code !== null &&
  code !== 'upstream.sign_in' &&
  (status === 0 || code.startsWith('upstream.') || code === 'gateway.stopping')

const askWords = (askBy: string | undefined) =>
  askBy === undefined
    ? 'ask a person who can see what became of it'
    : `ask what became of it with the tool ${askBy}`

function lostWords(effect: SnapshotTool['effect'], askBy: string | undefined): string {
  if (effect === 'read') return 'The answer was lost. This only reads: it may be called again.'
  const words = 'The answer was lost. It may have been carried out.'
  return effect === 'idempotent'
    ? `${words} The same call again changes nothing more.`
    : `${words} Do not call this again; ${askWords(askBy)}.`
}

/** An upstream that failed may have done it first. */
function doubtWords(
  effect: SnapshotTool['effect'],
  { status, isSent }: ToolOutcome,
  askBy: string | undefined,
): string {
  if (effect !== 'submit' || status < 500 || !isSent) return ''
  return ` It may have been carried out. Do not call this again; ${askWords(askBy)}.`
}

const retryWords = ({ headers }: ToolOutcome): string => {
  const seconds = headers['retry-after']
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? ` Try again after ${seconds} s.` : ''
}

interface Content {
  texts: string[]
  /** JSON of items that are no text. */
  others: string[]
  /** The body, where it is a JSON object, as it came. */
  structured: string | null
}

function contentOf({ headers, body, isCut, status }: ToolOutcome, keep: KeepAnswer): Content {
  const type = headers['content-type'] ?? ''
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  const none = { others: [], structured: null }
  if (body.length === 0)
    return {
      texts: status < 300 ? [`Done, with status ${status} and without a body.`] : [],
      ...none,
    }
  if (isPlain && isText(type, body)) {
    const text = textOf(body, isCut)
    if (isCut) return { texts: [text, cutWords], ...none }
    return { texts: [text], others: [], structured: structuredOf(type, text) }
  }
  if (isCut)
    return { texts: [`The answer is binary (${nameOf(type)}) and too large for a tool.`], ...none }
  return { texts: [], others: [binaryItem(body, nameOf(type), keep)], structured: null }
}

const cutWords = `The answer was cut after ${resultBytesMax / 1024} KiB. Ask for less: by a filter, a smaller page, or fewer fields.`

const nameOf = (type: string) => type.split(';')[0]?.trim() || 'application/octet-stream'

/** Bytes that say they are text, or say nothing and are. */
const isText = (type: string, body: Buffer): boolean =>
  isTextType(type) || (type === '' && isUtf8(body))

const isTextType = (type: string): boolean =>
  /^text\/|json|xml|javascript|x-www-form-urlencoded|yaml/i.test(nameOf(type))

/** Without half a character at the end of what was cut. */
function textOf(body: Buffer, isCut: boolean): string {
  const text = body.toString('utf8')
  return isCut ? text.replace(/\ufffd{1,3}$/, '') : text
}

/** As it came, so that numbers keep their digits; null: it is no JSON object. */
function structuredOf(type: string, text: string): string | null {
  if (!isJsonType(type) || !/^\s*\{/.test(text)) return null
  try {
    JSON.parse(text)
    return text
  } catch {
    return null
  }
}

/** What a model reads comes in the result, and what it has no use for as a link. */
function binaryItem(body: Buffer, mimeType: string, keep: KeepAnswer): string {
  const kind = /^(image|audio)\//i.exec(mimeType)?.[1]?.toLowerCase()
  if (kind !== undefined && body.length <= inlineBytesMax)
    return JSON.stringify({ type: kind, data: body.toString('base64'), mimeType })
  const uri = keep(mimeType, body)
  return JSON.stringify({
    type: 'resource_link',
    uri,
    name: uri.slice(uri.indexOf('/') + 1),
    description: 'The answer. It can be read for 5 minutes.',
    mimeType,
    size: body.length,
  })
}
