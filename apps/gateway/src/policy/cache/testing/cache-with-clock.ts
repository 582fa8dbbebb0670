import type { AnswerHead } from '../cache-request.ts'
import { ResponseCache } from '../response-cache.ts'

const start = Date.parse('2026-06-01T08:00:00Z')

/** A cache with a clock, and one call of an upstream at a time. */
export function cacheOf(maxBytes = 1_000_000) {
  const time = { now: start }
  const cache = new ResponseCache(maxBytes, { dateMs: () => time.now, nowMs: () => time.now })
  const lookUp = (fields: Record<string, string> = {}, url = '/a') =>
    cache.lookUp(cache.ask(url, fields))
  const store = (
    answer: Partial<AnswerHead> & { body?: string; isFramed?: boolean },
    fields: Record<string, string> = {},
    url = '/a',
  ) => {
    const { status = 200, body = 'body', isFramed = true } = answer
    const head = { status, fields: answer.fields ?? {} }
    const recording = cache.record(cache.ask(url, fields), head, isFramed)
    recording?.append(Buffer.from(body))
    recording?.finish()
    return recording !== undefined
  }
  return { cache, time, lookUp, store, pass: (seconds: number) => (time.now += seconds * 1_000) }
}

export const control = (value: string, more: Record<string, string> = {}) => ({
  fields: { 'cache-control': value, ...more },
})
export const etag = { etag: '"v1"' }
