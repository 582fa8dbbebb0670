import { describe, expect, it } from 'vitest'
import { cacheOf, etag } from './testing/cache-with-clock.ts'

type Kind = 'hit' | 'meanwhile' | 'stale' | 'miss' | 'bypass'
interface CacheCase {
  rule: string
  answer: Record<string, string>
  status?: number
  /** Seconds until it is asked for again, by a request with these fields. */
  after?: number
  asked?: Record<string, string>
  kind: Kind
}

const date = 'Mon, 01 Jun 2026 08:00:00 GMT'
const inAnHour = 'Mon, 01 Jun 2026 09:00:00 GMT'

const of = (rule: string, cases: Omit<CacheCase, 'rule'>[]): CacheCase[] =>
  cases.map((each) => ({ rule, ...each }))

/** Our own cases, each with the sentence that it is made from. */
const cases: CacheCase[] = [
  ...of(
    'RFC 9111 §5.3: A cache recipient MUST interpret invalid date formats, especially the value "0", as representing a time in the past (i.e., "already expired").',
    [
      { answer: { expires: '0', date, ...etag }, kind: 'stale' },
      { answer: { expires: 'soon', date, ...etag }, kind: 'stale' },
      { answer: { expires: inAnHour, date }, after: 3_599, kind: 'hit' },
      { answer: { expires: inAnHour, date, ...etag }, after: 3_600, kind: 'stale' },
    ],
  ),
  ...of(
    'RFC 9111 §5.3: If a response includes a Cache-Control header field with the max-age directive, a recipient MUST ignore the Expires header field.',
    [
      { answer: { expires: '0', date, 'cache-control': 'max-age=60' }, kind: 'hit' },
      { answer: { expires: inAnHour, date, 'cache-control': 'max-age=0', ...etag }, kind: 'stale' },
    ],
  ),
  ...of(
    'RFC 9111 §5.1: a cache encountering a message with a list-based Age field value SHOULD use the first member of the field value, discarding subsequent ones. If the field value … is invalid … a cache SHOULD ignore the field.',
    [
      {
        answer: { age: '50, 0', 'cache-control': 'max-age=60', ...etag },
        after: 10,
        kind: 'stale',
      },
      { answer: { age: '0, 50', 'cache-control': 'max-age=60' }, after: 10, kind: 'hit' },
      { answer: { age: 'old', 'cache-control': 'max-age=60' }, after: 10, kind: 'hit' },
      { answer: { age: '-50', 'cache-control': 'max-age=60' }, after: 59, kind: 'hit' },
      { answer: { age: '59.9', 'cache-control': 'max-age=60' }, after: 59, kind: 'hit' },
      { answer: { age: '60', 'cache-control': 'max-age=60', ...etag }, kind: 'stale' },
    ],
  ),
  ...of(
    'RFC 9111 §1.2.2: If a cache receives a delta-seconds value greater than the greatest integer it can represent … the cache MUST consider the value to be 2147483648.',
    [
      {
        answer: { 'cache-control': `max-age=${'9'.repeat(40)}` },
        after: 2_147_483_647,
        kind: 'hit',
      },
    ],
  ),
  ...of(
    'RFC 9111 §4.2.1: caches are encouraged to consider responses that have invalid freshness information … to be stale.',
    ['max-age=1.5', 'max-age=-1', 'max-age=abc', 'max-age', 'max-age=60, max-age=600'].map(
      (value) => ({
        answer: { 'cache-control': value, ...etag },
        kind: 'stale' as const,
      }),
    ),
  ),
  ...of('RFC 9111 §5.2.2.10: in shared caches … the maximum age specified by s-maxage overrides.', [
    { answer: { 'cache-control': 's-maxage=10, max-age=60', ...etag }, after: 10, kind: 'stale' },
  ]),
  ...of(
    'RFC 9111 §5.2.2.3: the must-understand response directive limits caching of the response to a cache that understands and conforms to the requirements for that response’s status code.',
    [
      { answer: { 'cache-control': 'max-age=60, must-understand, no-store' }, kind: 'hit' },
      { answer: { 'cache-control': 'max-age=60, must-understand' }, status: 299, kind: 'miss' },
    ],
  ),
  ...of(
    'RFC 9111 §3: … it contains … an Expires header field … a max-age response directive … a s-maxage response directive. Any final status may be kept then.',
    [201, 204, 299, 302, 307, 400, 404, 410, 451, 500, 503].map((status) => ({
      answer: { 'cache-control': 'max-age=60' },
      status,
      kind: 'hit' as const,
    })),
  ),
  ...of(
    'RFC 9111 §3.3: A cache MUST NOT store incomplete or partial-content responses if it does not support the Range and Content-Range header fields.',
    [
      {
        answer: { 'cache-control': 'max-age=60', 'content-range': 'bytes 0-3/10' },
        status: 206,
        kind: 'miss',
      },
    ],
  ),
  ...of(
    'RFC 9213 §2.2: When a cache that implements this specification receives a response with one or more of the header field names on its target list, the cache MUST select the first … with a valid, non-empty value and use its value to determine the caching policy for the response, and MUST ignore the Cache-Control and Expires header fields in that response.',
    [
      { answer: { 'cdn-cache-control': 'max-age=60', 'cache-control': 'no-store' }, kind: 'hit' },
      { answer: { 'cdn-cache-control': 'max-age=60', expires: '0', date }, kind: 'hit' },
      { answer: { 'cdn-cache-control': 'no-store', 'cache-control': 'max-age=60' }, kind: 'miss' },
      { answer: { 'cdn-cache-control': 'private', 'cache-control': 'max-age=60' }, kind: 'miss' },
      {
        answer: { 'cdn-cache-control': 'max-age=10', 'cache-control': 'max-age=60', ...etag },
        after: 10,
        kind: 'stale',
      },
      {
        answer: { 'cdn-cache-control': 'must-revalidate', 'cache-control': 'max-age=60' },
        kind: 'miss',
      },
      { answer: { 'cdn-cache-control': 'max-age=60;foo="x, y"' }, kind: 'hit' },
    ],
  ),
  ...of(
    'RFC 9213 §2.1: If the field value is … empty or has a parsing error, the field MUST be ignored.',
    [
      '',
      'max-age =60',
      'max-age=60,',
      'MAX-AGE=60',
      'max-age=60; no-store=',
      '"max-age"=60',
      'max-age: 60',
    ].map((value) => ({
      answer: { 'cdn-cache-control': value, 'cache-control': 'no-store' },
      kind: 'miss' as const,
    })),
  ),
  ...of(
    'RFC 5861 §3: When present in an HTTP response, the stale-while-revalidate Cache-Control extension indicates that caches MAY serve the response in which it appears after it becomes stale, up to the indicated number of seconds.',
    [
      {
        answer: { 'cache-control': 'max-age=60, stale-while-revalidate=30' },
        after: 59,
        kind: 'hit',
      },
      {
        answer: { 'cache-control': 'max-age=60, stale-while-revalidate=30' },
        after: 89,
        kind: 'meanwhile',
      },
      {
        answer: { 'cache-control': 'max-age=60, stale-while-revalidate=30' },
        after: 90,
        kind: 'stale',
      },
      {
        answer: { 'cache-control': 'max-age=60, stale-while-revalidate=x' },
        after: 61,
        kind: 'stale',
      },
      {
        answer: { 'cache-control': 'max-age=60, stale-while-revalidate=30' },
        after: 70,
        asked: { 'cache-control': 'no-cache' },
        kind: 'stale',
      },
      {
        answer: { 'cache-control': 'max-age=60, stale-while-revalidate=30' },
        after: 70,
        asked: { 'cache-control': 'max-age=100' },
        kind: 'stale',
      },
      {
        answer: { 'cache-control': 'max-age=60, stale-while-revalidate=30' },
        after: 70,
        asked: { pragma: 'no-cache' },
        kind: 'stale',
      },
    ],
  ),
  ...of(
    'RFC 9111 §4.2.4: A cache MUST NOT generate a stale response if it is prohibited by an explicit in-protocol directive.',
    ['must-revalidate', 'proxy-revalidate', 'no-cache'].map((name) => ({
      answer: { 'cache-control': `max-age=60, stale-while-revalidate=30, ${name}`, ...etag },
      after: 70,
      kind: 'stale' as const,
    })),
  ),
  ...of(
    'RFC 9111 §4.1: … two requests match if … those in one can be transformed to those in the other by … adding or removing whitespace, where allowed in the header field’s syntax.',
    [
      {
        answer: { 'cache-control': 'max-age=60', vary: 'x-list' },
        asked: { 'x-list': 'a,b' },
        kind: 'hit',
      },
      {
        answer: { 'cache-control': 'max-age=60', vary: 'x-list' },
        asked: { 'x-list': 'b, a' },
        kind: 'miss',
      },
      {
        answer: { 'cache-control': 'max-age=60', vary: 'x-list' },
        asked: { 'x-list': 'A, b' },
        kind: 'miss',
      },
    ],
  ),
]

describe('a kept answer', () => {
  it.each(cases.map((each) => [each.rule, JSON.stringify(each.answer), each] as const))(
    '%s %s',
    (_rule, _answer, { answer, status = 200, after = 0, asked = {}, kind }) => {
      const { lookUp, store, pass } = cacheOf()
      store({ status, fields: answer }, { 'x-list': 'a,  b' })
      pass(after)
      expect(lookUp({ 'x-list': 'a,  b', ...asked }).kind).toBe(kind)
    },
  )
})

describe('RFC 9110 §14.2: a part of an answer that is kept whole', () => {
  const fields = { 'cache-control': 'max-age=60', ...etag }
  it.each<[string, Record<string, string>, string | null]>([
    ['bytes=0-1', {}, 'bo'],
    ['bytes=1-', {}, 'ody'],
    ['bytes=-2', {}, 'dy'],
    ['bytes=2-100', {}, 'dy'],
    ['bytes=-100', {}, 'body'],
    ['bytes=0-1', { 'if-range': '"v1"' }, 'bo'],
    // The upstream says what becomes of these.
    ['bytes=0-1', { 'if-range': '"v2"' }, null],
    ['bytes=0-1', { 'if-range': 'W/"v1"' }, null],
    ['bytes=4-', {}, null],
    ['bytes=2-1', {}, null],
    ['bytes=-0', {}, null],
    ['bytes=-', {}, null],
    ['bytes=0-0,2-3', {}, null],
    ['lines=0-1', {}, null],
  ])('%s %j', (range, more, part) => {
    const { lookUp, store } = cacheOf()
    store({ fields })
    const found = lookUp({ range, ...more })
    if (found.kind !== 'hit' || !found.range)
      return expect([found.kind, part]).toEqual(['bypass', null])
    expect(found.answer.body.toString('utf8', found.range.start, found.range.end)).toBe(part)
  })

  it('is asked of the upstream where the answer is past its time', () => {
    const { lookUp, store, pass } = cacheOf()
    store({ fields })
    pass(60)
    expect(lookUp({ range: 'bytes=0-1' }).kind).toBe('bypass')
  })
})

describe('what an answer to a question says of the kept one', () => {
  function staleOf() {
    const all = cacheOf()
    all.store({ fields: { 'cache-control': 'max-age=60', 'content-type': 'text/plain', ...etag } })
    all.pass(60)
    const found = all.lookUp()
    if (found.kind !== 'stale') throw new Error(found.kind)
    return { ...all, answer: found.answer, request: all.cache.ask('/a', {}) }
  }

  it('RFC 9111 §3.2: a 304 replaces its fields, but not those of the body', () => {
    const { cache, answer, lookUp, request } = staleOf()
    const refreshed = cache.refresh(request, answer, {
      'cache-control': 'max-age=60',
      'content-type': 'text/html',
      'content-encoding': 'gzip',
      'content-length': '0',
    })
    expect(refreshed.answerFields()).toMatchObject({
      'content-type': 'text/html',
      'content-length': '4',
    })
    expect(refreshed.answerFields()).not.toHaveProperty('content-encoding')
    expect(lookUp().kind).toBe('hit')
  })

  it('RFC 9111 §4.3.4: a 304 with another strong validator updates nothing', () => {
    const { cache, answer, lookUp, request } = staleOf()
    const same = cache.refresh(request, answer, { etag: '"v2"', 'content-type': 'text/html' })
    expect(same.answerFields()).toMatchObject({ etag: '"v1"', 'content-type': 'text/plain' })
    expect(lookUp().kind).toBe('stale')
  })

  it.each<[string, Record<string, string>, Kind]>([
    ['refreshes it', { ...etag, 'content-length': '4', 'cache-control': 'max-age=60' }, 'hit'],
    ['drops it, with another validator', { etag: '"v2"' }, 'miss'],
    ['drops it, with another length', { ...etag, 'content-length': '5' }, 'miss'],
  ])('RFC 9111 §4.3.5: an answer to HEAD %s', (_, fields, kind) => {
    const { cache, answer, lookUp, request } = staleOf()
    cache.takeHead(request, answer, fields)
    expect(lookUp().kind).toBe(kind)
  })
})

it('an address is asked for by one at a time while others get what is kept', () => {
  const { cache } = cacheOf()
  const request = cache.ask('/a', {})
  expect([cache.beginRenewal(request), cache.beginRenewal(request)]).toEqual([true, false])
  cache.endRenewal(request)
  expect(cache.beginRenewal(request)).toBe(true)
})
