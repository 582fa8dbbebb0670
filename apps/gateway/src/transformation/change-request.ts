import { emptyObject, parseExact } from '@gatehouse/contract/mapping'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'
import type { CompiledSide } from '../changes/compile-transformation.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { joinedFields } from '../http/joined-fields.ts'
import { paramsOf, queryOf } from '../output/output-scope.ts'
import { changedComponents, withoutBrokenSignature } from './broken-signature.ts'
import { shownPart } from './shown-part.ts'
import { changedBody } from './changed-body.ts'
import { changedFields } from './changed-fields.ts'
import { changedTarget } from './changed-target.ts'
import { componentsOfBody, fieldsOfBody } from './fields-of-body.ts'

/** Changes what goes on to the upstream. Every value is read from the request as it came. */
export function changeRequest(exchange: Exchange, side: CompiledSide): Verdict {
  const source = side.isBodyRead ? sourceOf(exchange) : null
  if (source === undefined) return exchange.refuse('client.not_json')
  const before = exchange.trace === null ? null : shownRequest(exchange)
  const scope = scopeOf(exchange, source)
  const target = changedTarget(
    { path: exchange.upstreamPath, query: exchange.query },
    side.rules,
    scope,
  )
  if (target === undefined) return exchange.refuse('client.target')
  const isBodyChanged = side.body !== null && exchange.hasBody
  const components = changedComponents(side.rules).concat(isBodyChanged ? componentsOfBody : [])
  const given = withoutBrokenSignature(exchange.passed, components)
  const changed = changedFields(given, side.rules, scope)
  if (!changed.ok) return refuse(exchange, `/headers/${changed.name}`, 'This can’t be sent.')
  exchange.passed = changed.fields
  exchange.sentTarget = target
  if (side.body !== null && exchange.hasBody) {
    const body = changedBody(side.body, source, scope)
    if (!body.ok) return refuse(exchange, '/body', body.reason)
    putBody(exchange, body)
  }
  if (before !== null) exchange.change = { before, after: shownRequest(exchange) }
  return 'next'
}

const refuse = (exchange: Exchange, place: string, reason: string): Verdict =>
  exchange.refuseUnfit({ [place]: [reason] }, `The request can’t be changed: ${place}`)

/** Undefined: the body is no JSON. */
function sourceOf({ heldBody }: Exchange): ExactJson | undefined {
  if (heldBody === null || heldBody.length === 0) return null
  try {
    return parseExact(heldBody.toString('utf8'))
  } catch {
    return undefined
  }
}

function scopeOf(exchange: Exchange, body: ExactJson): ExactObject {
  const scope = emptyObject()
  scope['params'] = paramsOf(exchange)
  scope['query'] = queryOf(exchange.query)
  scope['headers'] = Object.assign(emptyObject(), joinedFields(exchange.passed))
  scope['body'] = body
  return scope
}

function putBody(exchange: Exchange, { text, contentType }: { text: string; contentType: string }) {
  const bytes = Buffer.from(text)
  exchange.heldBody = bytes
  exchange.contentLength = bytes.length
  exchange.passed = fieldsOfBody(exchange.passed, bytes, contentType)
}

/** For a trace; secrets are masked. */
function shownRequest(exchange: Exchange) {
  const { upstreamPath, query, sentTarget, passed, heldBody } = exchange
  return {
    target: sentTarget ?? upstreamPath + query,
    ...shownPart(exchange, passed, heldBody === null ? null : heldBody.toString('utf8')),
  }
}
