import { describe, expect, it } from 'vitest'
import { cacheOf, control, etag } from './testing/cache-with-clock.ts'

describe('an answer is kept', () => {
  it.each([
    ['max-age=60', {}, 60],
    ['Max-Age="60"', {}, 60],
    ['max-age=60, s-maxage=10', {}, 10],
    ['public, max-age=60', { authorization: 'Bearer x' }, 60],
    ['s-maxage=60', { authorization: 'Bearer x' }, 60],
    ['s-maxage=60', { cookie: 'a=1' }, 60],
    ['max-age=60, must-revalidate', {}, 60],
  ])('with %s, asked by %j, for %i s', (value, fields, seconds) => {
    const { lookUp, store, pass } = cacheOf()
    expect(store(control(value), fields)).toBe(true)
    pass(seconds - 0.001)
    expect(lookUp(fields).kind).toBe('hit')
    pass(0.001)
    expect(lookUp(fields).kind).toBe('stale')
  })

  it('until it expires by date, or as it was old already', () => {
    const { lookUp, store, pass } = cacheOf()
    store({
      fields: { date: 'Mon, 01 Jun 2026 08:00:00 GMT', expires: 'Mon, 01 Jun 2026 08:01:00 GMT' },
    })
    store(control('max-age=60', { age: '50' }), {}, '/b')
    pass(10)
    expect(lookUp().kind).toBe('hit')
    expect(lookUp({}, '/b').kind).toBe('stale')
    pass(50)
    expect(lookUp().kind).toBe('stale')
  })

  it('with nothing but a validator, to be asked about each time', () => {
    const { lookUp, store } = cacheOf()
    store({ fields: etag })
    expect(lookUp().kind).toBe('stale')
  })
})

describe('an answer is not kept', () => {
  it.each([
    ['no-store', control('no-store, max-age=60')],
    ['private', control('Private, max-age=60')],
    ['private fields', control('private="set-cookie", max-age=60')],
    ['a cookie in it', control('public, max-age=60', { 'set-cookie': 'a=1' })],
    ['a part', { status: 206, ...control('max-age=60') }],
    ['a server error that says no time', { status: 500, fields: etag }],
    ['an unknown status that says no time', { status: 299, fields: etag }],
    [
      'an unknown status that has to be understood',
      { status: 299, ...control('max-age=60, must-understand') },
    ],
    ['no word on its freshness', { fields: { date: 'Mon, 01 Jun 2026 08:00:00 GMT' } }],
    ['a heuristic alone', { fields: { 'last-modified': 'nonsense?' }, status: 302 }],
    ['Vary: *', control('max-age=60', { vary: 'accept, *' })],
    ['an end that looks like a cut', { ...control('max-age=60'), isFramed: false }],
    ['a contradicting age', control('max-age=60, max-age=600')],
  ])('with %s', (_, answer) => {
    const { lookUp, store } = cacheOf()
    store(answer)
    expect(lookUp().kind).toBe('miss')
  })

  it.each([{ authorization: 'Bearer x' }, { cookie: 'a=1' }, { 'x-api-key': 'k' }])(
    'to a request with credentials, unless it says it may: %j',
    (fields) => {
      const { lookUp, store } = cacheOf()
      store(control('max-age=60'), fields)
      expect(lookUp(fields).kind).toBe('miss')
    },
  )

  it('whose body is cut off, is longer or shorter than announced, or too large', () => {
    const { cache, lookUp, store } = cacheOf(40_000)
    cache.record(cache.ask('/a', {}), { status: 200, ...control('max-age=60') }, true)?.abandon()
    store({ ...control('max-age=60', { 'content-length': '5' }), body: 'four' })
    store({ ...control('max-age=60'), body: 'x'.repeat(10_001) })
    expect(store(control('max-age=60', { 'content-length': '10001' }))).toBe(false)
    expect(lookUp().kind).toBe('miss')
  })
})

describe('an answer from the cache', () => {
  it('says how old it is and how long', () => {
    const { lookUp, store, pass } = cacheOf()
    store(control('max-age=60', { 'x-own': '1' }))
    pass(12.9)
    const result = lookUp()
    expect(result.kind === 'hit' && result.answer.answerFields()).toEqual({
      'cache-control': 'max-age=60',
      'x-own': '1',
      age: '12',
      'content-length': '4',
    })
  })

  it('goes on with what a 304 says', () => {
    const { cache, lookUp, store, pass } = cacheOf()
    store(control('max-age=60', { ...etag, 'content-type': 'text/plain' }))
    pass(100)
    const result = lookUp()
    if (result.kind !== 'stale') throw new Error(result.kind)
    expect(result.answer.validators()).toEqual({ 'if-none-match': '"v1"' })
    const fields = { 'cache-control': 'max-age=30', 'content-length': '0', 'x-new': '1' }
    const refreshed = cache.refresh(cache.ask('/a', {}), result.answer, fields)
    expect(refreshed.body.toString()).toBe('body')
    expect(refreshed.answerFields()).toMatchObject({
      age: '0',
      'x-new': '1',
      'content-length': '4',
    })
    pass(29)
    expect(lookUp().kind).toBe('hit')
  })

  it('is forgotten where the 304 says that it may not be kept', () => {
    const { cache, lookUp, store } = cacheOf()
    store({ fields: etag })
    const result = lookUp()
    if (result.kind !== 'stale') throw new Error(result.kind)
    cache.refresh(cache.ask('/a', {}), result.answer, {
      'cache-control': 'no-store',
    })
    expect(lookUp().kind).toBe('miss')
  })

  it('replaces a failed answer for as long as it says', () => {
    for (const [value, isUsable] of [
      ['max-age=60, stale-if-error=30', true],
      ['max-age=60, stale-if-error=29', false],
      ['max-age=60, stale-if-error=30, must-revalidate', false],
      ['max-age=60', false],
    ] as const) {
      const { lookUp, store, pass } = cacheOf()
      store(control(value))
      pass(89.5)
      const result = lookUp()
      expect(result.kind === 'stale' && result.answer.isUsableOnError(), value).toBe(isUsable)
    }
  })

  it('goes when its address is written to, for everybody', () => {
    const { cache, lookUp, store } = cacheOf()
    const known = { authorization: 'Bearer x' }
    store(control('public, max-age=60'))
    store(control('public, max-age=60'), known)
    store(control('max-age=60'), {}, '/b')
    cache.invalidate('/a')
    expect([lookUp().kind, lookUp(known).kind, lookUp({}, '/b').kind]).toEqual([
      'miss',
      'miss',
      'hit',
    ])
  })
})

it('the cache never takes more than it was given', () => {
  const { cache, lookUp, store } = cacheOf(40_000)
  for (let number = 0; number < 30; number++) {
    store({ ...control('max-age=60'), body: 'x'.repeat(5_000) }, {}, `/${number}`)
    store(
      { ...control('max-age=60', { vary: 'x-v' }), body: 'x'.repeat(5_000) },
      { 'x-v': String(number) },
    )
    expect(cache.sizeBytes).toBeLessThanOrEqual(40_000)
  }
  expect(lookUp({ 'x-v': '29' }).kind).toBe('hit')
  const open = Array.from({ length: 10 }, () =>
    cache.record(cache.ask('/c', {}), { status: 200, ...control('max-age=60') }, true),
  )
  for (const recording of open) recording?.append(Buffer.alloc(9_000))
  for (const recording of open) recording?.finish()
  expect(cache.sizeBytes).toBeLessThanOrEqual(40_000)
})
