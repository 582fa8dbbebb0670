import { emptyObject, LosslessNumber, stringifyExact } from '@gatehouse/contract/mapping'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'
import type { CompiledSide } from '../changes/compile-transformation.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { AnswerHeaders } from '../exchange/upstream-call.ts'
import { paramsOf, queryOf } from '../output/output-scope.ts'
import { changedComponents, withoutBrokenSignature } from './broken-signature.ts'
import { changedBody } from './changed-body.ts'
import { changedFields } from './changed-fields.ts'
import { shownPart } from './shown-part.ts'

interface Answer {
  readonly status: number
  readonly headers: AnswerHeaders
}

/** In a trace; `transform` is the change of the request. */
const stageName = 'transform_answer'

const answerSide = ({ endpoint }: Exchange): CompiledSide | null =>
  endpoint?.transformation?.answer ?? null

/** Whether the body of this answer is collected to be changed: rows and templates are for answers of 2xx. */
export function isAnswerMapped(exchange: Exchange, status: number): boolean {
  const isMade = (answerSide(exchange)?.body ?? null) !== null
  return isMade && exchange.method !== 'HEAD' && status >= 200 && status < 300 && status !== 204
}

/**
 * The fields of an answer after the rules. Where a value can't be sent, they stay, and the log says so.
 * Headers are read only where there are rules.
 */
export function answerFieldsAfter(
  exchange: Exchange,
  answer: Answer,
  fields: readonly string[],
): readonly string[] {
  const side = answerSide(exchange)
  if (side === null || side.rules.length === 0) return fields
  const scope = scopeOf(exchange, answer, null)
  const sinceMs = performance.now()
  const given = withoutBrokenSignature(fields, changedComponents(side.rules))
  const changed = changedFields(given, side.rules, scope)
  if (changed.ok) {
    exchange.trace?.addLast(stageName, sinceMs, {
      before: shownPart(exchange, fields, null),
      after: shownPart(exchange, changed.fields, null),
    })
    return changed.fields
  }
  exchange.detail ??= `The header ${changed.name} of the answer can’t be set.`
  return fields
}

/** Answers with what rows or a template make of the upstream's body, which is JSON. */
export function answerMapped(
  exchange: Exchange,
  answer: Answer,
  body: ExactJson,
  fields: string[],
): void {
  const side = answerSide(exchange)
  if (!side?.body) return
  const sinceMs = performance.now()
  const made = changedBody(side.body, body, scopeOf(exchange, answer, body))
  if (!made.ok) {
    exchange.refuse('upstream.unmapped', { detail: made.reason })
    return
  }
  const changed = [
    ...answerFieldsAfter(exchange, answer, fields),
    'Content-Type',
    made.contentType,
    'X-Content-Type-Options',
    'nosniff',
  ]
  exchange.trace?.addLast(stageName, sinceMs, {
    before: shownPart(exchange, fields, stringifyExact(body)),
    after: shownPart(exchange, changed, made.text),
  })
  exchange.answer(answer.status, changed, made.text)
}

function scopeOf(exchange: Exchange, { status, headers }: Answer, body: ExactJson): ExactObject {
  const scope = emptyObject()
  scope['status'] = new LosslessNumber(String(status))
  const named = emptyObject()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) named[name] = String(value)
  scope['headers'] = named
  scope['params'] = paramsOf(exchange)
  scope['query'] = queryOf(exchange.query)
  scope['body'] = body
  return scope
}
