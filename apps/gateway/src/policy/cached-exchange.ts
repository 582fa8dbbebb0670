import { answerFields } from '../calls/answer-fields.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'
import { joinedFields } from '../http/joined-fields.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { CachedAnswer, CacheRequest } from './cache/cached-answer.ts'
import { isNotModified, of304 } from './cache/conditional.ts'
import { giveUpCall } from '../calls/given-up-call.ts'
import type { PolicyRun } from './policy-run.ts'
import type { ResponseCache } from './cache/response-cache.ts'

/**
 * Answers from the cache, or notes down what the cache is to do with the answer. An endpoint with a
 * custom output or a transformation is not its business, nor is a GET that brings a body. What an unsaved
 * definition makes of a request must not be kept for those of the saved one.
 */
export function answerFromCache(exchange: Exchange, run: PolicyRun, cache: ResponseCache): Verdict {
  const { method, endpoint } = exchange
  const isRead = method === 'GET' || method === 'HEAD'
  const isOwn = endpoint?.output || endpoint?.transformation || endpoint?.api.procedure
  if (!isRead || exchange.hasBody || isOwn) return 'next'
  if (exchange.trace?.isOfUnsaved) return 'next'
  const request = cacheRequest(exchange)
  const found = cache.lookUp(request)
  switch (found.kind) {
    case 'hit':
      give(exchange, run, request, found.answer)
      return 'stop'
    case 'refused':
      return exchange.refuse('client.only_if_cached')
    case 'stale':
      run.stale = found.answer
      run.cacheStatus = 'gatehouse; fwd=stale'
      askWhetherItHolds(exchange, found.answer)
      break
    case 'miss':
      run.cacheStatus = 'gatehouse; fwd=miss'
      break
    case 'bypass':
      run.cacheStatus = 'gatehouse; fwd=bypass'
      return 'next'
  }
  run.cacheRequest = request
  return 'next'
}

/** The head of the upstream's answer is here. True: the client has been given what was kept. */
export function takeAnswerHead(
  exchange: Exchange,
  run: PolicyRun,
  cache: ResponseCache,
  call: UpstreamCall,
): boolean {
  const { cacheRequest: request, stale } = run
  if (request === null) {
    const isDone = call.status >= 200 && call.status < 400
    const isRead = exchange.method === 'GET' || exchange.method === 'HEAD'
    if (isDone && !isRead) cache.invalidate(exchange.upstreamPath + exchange.query)
    return false
  }
  const fields = joinedFields(answerFields(call.headers, call.status))
  if (stale !== null && call.status === 304) {
    giveUpCall(exchange, call)
    give(
      exchange,
      run,
      request,
      cache.refresh(request, stale, fields),
      'hit; fwd=stale; fwd-status=304',
    )
    return true
  }
  if (exchange.method === 'HEAD') return false
  const isFramed =
    fields['content-length'] !== undefined || call.headers['transfer-encoding'] !== undefined
  run.recording = cache.record(request, { status: call.status, fields }, isFramed) ?? null
  return false
}

/** Gives a kept answer where the call failed or its server can't serve. True: it has. */
export function answerStale(exchange: Exchange, run: PolicyRun, call: UpstreamCall): boolean {
  const { cacheRequest: request, stale } = run
  if (request === null || stale === null || !stale.isUsableOnError()) return false
  giveUpCall(exchange, call)
  run.hasUpstreamFailed = true
  give(exchange, run, request, stale, 'hit; detail=stale-if-error')
  return true
}

function give(
  exchange: Exchange,
  run: PolicyRun,
  request: CacheRequest,
  answer: CachedAnswer,
  how = 'hit',
): void {
  run.cacheStatus = `gatehouse; ${how}`
  const isUnchanged = isNotModified(request.fields, answer.fields, answer.status)
  const fields: string[] = []
  for (const [name, value] of Object.entries(answer.answerFields())) {
    if (!isUnchanged || of304.has(name)) fields.push(name, value)
  }
  exchange.sendHead(isUnchanged ? 304 : answer.status, fields)
  if (isUnchanged || exchange.method === 'HEAD' || answer.body.length === 0) return exchange.end()
  exchange.bytesOut = answer.body.length
  exchange.endWith(answer.body, 'latin1')
}

/**
 * The request as the cache compares requests. A client with a token counts as identified, although
 * the upstream does not see the token. Host and scheme reach the upstream as X-Forwarded-*, and the
 * answer may depend on them, so it is kept apart by them.
 */
function cacheRequest(exchange: Exchange): CacheRequest {
  const fields = joinedFields(exchange.passed)
  const { authorization, caller, connection } = exchange
  if (authorization !== null || caller !== null) fields['authorization'] = authorization ?? 'token'
  fields['x-forwarded-host'] = exchange.forwardedHost || exchange.host
  fields['x-forwarded-proto'] = exchange.forwardedProto || (connection.isSecure ? 'https' : 'http')
  return { url: exchange.upstreamPath + exchange.query, fields }
}

/** Puts the validators of the kept answer in the place of the client's own (RFC 9111 §4.3.1). */
function askWhetherItHolds(exchange: Exchange, answer: CachedAnswer): void {
  const validators = Object.entries(answer.validators())
  if (validators.length === 0) return
  const passed: string[] = []
  for (let at = 0; at < exchange.passed.length; at += 2) {
    const name = exchange.passed[at] ?? ''
    if (!/^if-(?:none-match|modified-since)$/i.test(name))
      passed.push(name, exchange.passed[at + 1] ?? '')
  }
  exchange.passed = [...passed, ...validators.flat()]
}
