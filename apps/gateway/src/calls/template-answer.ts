import { mappingLimits, parseExact } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { BoundedBody, decodeBody, UpstreamFailure } from '@gatehouse/upstream/http'
import { outputScope } from '../output/output-scope.ts'
import { renderOutput } from '../output/render-output.ts'
import { answerMapped } from '../transformation/change-answer.ts'
import { answerFields } from './answer-fields.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { refuseFailure } from './refuse-failure.ts'
import type { AnswerHeaders } from '../exchange/upstream-call.ts'

/** An answer that a template reads is collected, up to 5 MiB. */
export class TemplateBody extends BoundedBody {
  constructor() {
    super(mappingLimits.bytes)
  }
}

interface CallAnswer {
  status: number
  headers: AnswerHeaders
}

/** Answers with what the endpoint's template makes of the upstream's answer. The status stays. */
export function answerFromTemplate(
  exchange: Exchange,
  { status, headers }: CallAnswer,
  collected: TemplateBody,
): void {
  const answer = { status, headers }
  const encoding = String(headers['content-encoding'] ?? '')
  const body = collected.take()
  if (encoding === '') render(exchange, answer, body)
  else void renderDecoded(exchange, answer, decodeBody(body, encoding, mappingLimits.bytes))
}

async function renderDecoded(
  exchange: Exchange,
  answer: CallAnswer,
  decoding: Promise<Buffer>,
): Promise<void> {
  try {
    const body = await decoding
    if (!exchange.isEnded) render(exchange, answer, body)
  } catch (error) {
    if (error instanceof UpstreamFailure) refuseFailure(exchange, error)
    else exchange.handleFault(error)
  }
}

function render(exchange: Exchange, answer: CallAnswer, bytes: Buffer): void {
  const output = exchange.endpoint?.output
  if (output?.kind !== 'template') return renderMapped(exchange, answer, bytes)
  const body = output.roots.has('body')
    ? readBody(bytes.toString('utf8'))
    : { value: null, isJson: true }
  if (output.isJsonBodyNeeded && !body.isJson) {
    exchange.refuse('upstream.not_json')
    return
  }
  answerRendered(exchange, answer, body.value)
}

/** The endpoint changes the body of the answer. */
function renderMapped(exchange: Exchange, answer: CallAnswer, bytes: Buffer): void {
  const body = readBody(bytes.toString('utf8'))
  if (!body.isJson) exchange.refuse('upstream.not_json')
  else
    answerMapped(
      exchange,
      answer,
      body.value,
      keptFields(answerFields(answer.headers, answer.status)),
    )
}

/** The same for a body that is data already. */
export function answerRendered(exchange: Exchange, answer: CallAnswer, body: ExactJson): void {
  const output = exchange.endpoint?.output
  if (output?.kind !== 'template') return
  const rendered = renderOutput(output, outputScope(exchange, output.roots, { ...answer, body }))
  if (!rendered.ok) {
    exchange.refuse('upstream.too_large', { detail: rendered.detail })
    return
  }
  const fields = keptFields(answerFields(answer.headers, answer.status))
  fields.push('Content-Type', output.contentType, 'X-Content-Type-Options', 'nosniff')
  exchange.answer(answer.status, fields, rendered.text)
}

function readBody(text: string): { value: ExactJson; isJson: boolean } {
  if (text.trim() === '') return { value: null, isJson: true }
  try {
    return { value: parseExact(text), isJson: true }
  } catch {
    return { value: text, isJson: false }
  }
}

/** What was said of the upstream's body is not true of ours. */
const ofBody =
  /^(?:content-.*|etag|last-modified|accept-ranges|digest|repr-digest|signature|signature-input|x-content-type-options)$/

function keptFields(fields: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? ''
    if (!ofBody.test(name)) kept.push(name, fields[at + 1] ?? '')
  }
  return kept
}
