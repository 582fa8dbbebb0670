import { answerFields } from '../calls/answer-fields.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'
import { joinedFields } from '../http/joined-fields.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { BackgroundCall } from './cache/background-call.ts'
import type { CacheRequest } from './cache/cache-request.ts'
import type { CachedAnswer } from './cache/cached-answer.ts'
import { fieldsOfCall } from '../calls/call-upstream.ts'
import { giveUpCall } from '../calls/given-up-call.ts'
import { invalidatedBy } from './cache/invalidated.ts'
import { giveKept } from './give-kept.ts'
import type { PolicyRun } from './policy-run.ts'
import type { ResponseCache } from './cache/response-cache.ts'

/**
 * Answers from the cache, or notes down what the cache is to do with the answer. An endpoint with a
 * custom output or a transformation is not its business, nor is a GET that brings a body. What an unsaved
 * definition makes of a request must not be kept for those of the saved one.
 */
export function answerFromCache(
  exchange: Exchange,
  run: PolicyRun,
  cache: ResponseCache,
  mayRenew: boolean,
): Verdict {
  const { method, endpoint } = exchange
  const isRead = method === 'GET' || method === 'HEAD'
  const isOwn = endpoint?.output || endpoint?.transformation || endpoint?.api.procedure
  if (!isRead || exchange.hasBody || isOwn) return 'next'
  if (exchange.trace?.isOfUnsaved) return 'next'
  const request = cacheRequest(exchange, cache)
  const found = cache.lookUp(request)
  switch (found.kind) {
    case 'hit':
      giveKept(exchange, run, request, found.answer, { range: found.range })
      return 'stop'
    case 'meanwhile':
      // No call is made while the upstream is taken to be ill, and none that would have to wait for a token.
      if (!mayRenew || !renew(exchange, cache, request, found.answer)) {
        run.stale = found.answer
        run.cacheStatus = 'gatehouse; fwd=stale'
        askWhetherItHolds(exchange, found.answer)
        break
      }
      giveKept(exchange, run, request, found.answer, { how: 'hit; detail=stale-while-revalidate' })
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
  run.cached = 'miss'
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
    if (isDone && !isRead) invalidate(exchange, cache, call)
    return false
  }
  const fields = joinedFields(answerFields(call.headers, call.status))
  if (stale !== null && stale.hasValidator && call.status === 304) {
    giveUpCall(exchange, call)
    giveKept(exchange, run, request, cache.refresh(request, stale, fields), {
      how: 'hit; fwd=stale; fwd-status=304',
    })
    return true
  }
  if (exchange.method === 'HEAD') {
    if (stale !== null && call.status === stale.status) cache.takeHead(request, stale, fields)
    return false
  }
  const isFramed =
    call.status === 204 ||
    fields['content-length'] !== undefined ||
    call.headers['transfer-encoding'] !== undefined
  run.recording = cache.record(request, { status: call.status, fields }, isFramed) ?? null
  return false
}

/** Gives a kept answer where the call failed or its server can't serve. True: it has. */
export function answerStale(exchange: Exchange, run: PolicyRun, call: UpstreamCall): boolean {
  const { cacheRequest: request, stale } = run
  if (request === null || stale === null || !stale.isUsableOnError()) return false
  giveUpCall(exchange, call)
  run.hasUpstreamFailed = true
  giveKept(exchange, run, request, stale, { how: 'hit; detail=stale-if-error' })
  return true
}

/** What was written is out of date, and what the answer to it names. */
function invalidate(exchange: Exchange, cache: ResponseCache, call: UpstreamCall): void {
  const { path, upstreamPath, query, host } = exchange
  const { upstream, basePath } = call.target
  const url = upstreamPath + query
  cache.invalidate(url)
  const origin = {
    upstream: upstream.origin,
    basePath,
    prefix: path.slice(0, path.length - upstreamPath.length),
    host,
    url,
  }
  for (const other of invalidatedBy(joinedFields(answerFields(call.headers, call.status)), origin))
    cache.invalidate(other)
}

/** Asks the upstream for the next answer; false where it can't be asked now. */
function renew(
  exchange: Exchange,
  cache: ResponseCache,
  request: CacheRequest,
  stale: CachedAnswer,
): boolean {
  const { endpoint, gateway } = exchange
  const target = exchange.policy?.chooseTarget?.(exchange) ?? endpoint?.api.target
  if (!endpoint || !target || target.refusal !== undefined) return false
  const { passed } = exchange
  exchange.passed = askingFor(stale, passed)
  const fields = fieldsOfCall(exchange, endpoint)
  exchange.passed = passed
  if (fields === null) return false
  if (!cache.beginRenewal(request)) return true
  const call = new BackgroundCall({
    cache,
    request,
    stale,
    path: target.basePath + (exchange.sentTarget ?? exchange.upstreamPath + exchange.query),
    fields,
    timeoutMs: endpoint.answerTimeoutMs,
    done: () => cache.endRenewal(request),
  })
  gateway.origins.poolOf(target.upstream).dispatch(call)
  return true
}

/**
 * The request as the cache compares requests. A client with a token counts as identified, although
 * the upstream does not see the token. Host and scheme reach the upstream as X-Forwarded-*, and the
 * answer may depend on them, so it is kept apart by them.
 */
function cacheRequest(exchange: Exchange, cache: ResponseCache): CacheRequest {
  const fields = joinedFields(exchange.passed)
  const { authorization, caller, connection } = exchange
  // RFC 9110 §14.2: a part is only ever that of a GET.
  if (exchange.method === 'HEAD') delete fields['range']
  if (authorization !== null || caller !== null) fields['authorization'] = authorization ?? 'token'
  fields['x-forwarded-host'] = exchange.forwardedHost || exchange.host
  fields['x-forwarded-proto'] = exchange.forwardedProto || (connection.isSecure ? 'https' : 'http')
  return cache.ask(exchange.upstreamPath + exchange.query, fields)
}

/** Puts the validators of the kept answer in the place of the client's own (RFC 9111 §4.3.1). */
function askWhetherItHolds(exchange: Exchange, answer: CachedAnswer): void {
  if (answer.hasValidator) exchange.passed = askingFor(answer, exchange.passed)
}

/** Fields of a request for the next answer: the conditions are ours, whatever the client's were. */
function askingFor(answer: CachedAnswer, passed: readonly string[]): string[] {
  const asked: string[] = []
  for (let at = 0; at < passed.length; at += 2) {
    const name = passed[at] ?? ''
    if (!/^if-(?:none-match|modified-since)$/i.test(name)) asked.push(name, passed[at + 1] ?? '')
  }
  return [...asked, ...Object.entries(answer.validators()).flat()]
}
