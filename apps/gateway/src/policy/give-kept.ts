import type { Exchange } from '../exchange/exchange.ts'
import type { ByteRange } from './cache/byte-range.ts'
import type { CacheRequest } from './cache/cache-request.ts'
import type { CachedAnswer } from './cache/cached-answer.ts'
import { isNotModified, of304 } from './cache/conditional.ts'
import type { PolicyRun } from './policy-run.ts'

/** Gives a client what was kept, or a part of it, or says that it has that. `how`: for `Cache-Status`. */
export function giveKept(
  exchange: Exchange,
  run: PolicyRun,
  request: CacheRequest,
  answer: CachedAnswer,
  { how = 'hit', range }: { how?: string; range?: ByteRange | undefined } = {},
): void {
  run.cacheStatus = `gatehouse; ${how}`
  run.cached = 'hit'
  run.savedMs = Math.max(0, answer.tookMs - exchange.upstreamMs)
  const isUnchanged = isNotModified(request.fields, answer.fields, answer.status)
  const fields: string[] = []
  for (const [name, value] of Object.entries(answer.answerFields())) {
    const isOfPart = range !== undefined && name === 'content-length'
    if (isUnchanged ? of304.has(name) : !isOfPart) fields.push(name, value)
  }
  if (isUnchanged || range === undefined) {
    exchange.sendHead(isUnchanged ? 304 : answer.status, fields)
    return giveBody(exchange, isUnchanged ? noBody : answer.body)
  }
  const { start, end } = range
  fields.push('content-range', `bytes ${start}-${end - 1}/${answer.body.length}`)
  fields.push('content-length', String(end - start))
  exchange.sendHead(206, fields)
  giveBody(exchange, answer.body.subarray(start, end))
}

const noBody = Buffer.alloc(0)

function giveBody(exchange: Exchange, body: Buffer): void {
  if (exchange.method === 'HEAD' || body.length === 0) return exchange.end()
  exchange.bytesOut = body.length
  exchange.endWith(body, 'latin1')
}
