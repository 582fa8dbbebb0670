import type { CachePurge } from '@gatehouse/contract/gateway'
import { describe, expect, it } from 'vitest'
import { purgedBy } from './purge-list.ts'
import { cacheOf } from './testing/cache-with-clock.ts'

const purge = (kind: CachePurge['kind'], value = ''): CachePurge => ({ id: 'one', kind, value })

describe('a path', () => {
  it.each([
    ['/orders', '/%6frders?page=2', true],
    ['/caf%C3%A9', '/caf%c3%a9', true],
    ['/café/*', '/caf%C3%A9/today', true],
    ['/orders/*', '/%6Frders/7', true],
    ['/orders/*', '/orders', false],
    ['/orders', '/orders/7', false],
    ['/100%', '/100%', true],
  ])('%s drops the answer of %s: %s', (value, url, isDropped) => {
    expect(purgedBy(purge('path', value))(url, {})).toBe(isDropped)
  })
})

it('reads the purge once, also where an address keeps some of its answers', () => {
  const { cache, store, lookUp } = cacheOf()
  const addresses = Array.from({ length: 50 }, (_, at) => `/orders/${at}`)
  for (const url of addresses)
    for (const language of ['en', 'ar'])
      store(
        {
          fields: {
            'cache-control': 'max-age=60',
            vary: 'Accept-Language',
            'cache-tag': language,
            'content-length': '4',
          },
        },
        { 'accept-language': language },
        url,
      )
  let looks = 0
  cache.purge([
    {
      id: 'one',
      kind: 'tag',
      get value() {
        looks++
        return 'ar'
      },
    },
  ])
  expect(looks).toBe(1)
  for (const url of addresses) {
    expect(lookUp({ 'accept-language': 'en' }, url).kind).toBe('hit')
    expect(lookUp({ 'accept-language': 'ar' }, url).kind).toBe('miss')
  }
})

it('takes the time of an answer until its head, not until its first client has read it', () => {
  const { cache, pass, lookUp } = cacheOf()
  const request = cache.ask('/a', {})
  pass(2)
  const fields = { 'cache-control': 'max-age=600' }
  const recording = cache.record(request, { status: 200, fields }, true)
  recording?.append(Buffer.from('first'))
  pass(60)
  recording?.append(Buffer.from('last'))
  recording?.finish()
  expect(lookUp()).toMatchObject({ kind: 'hit', answer: { tookMs: 2_000 } })
})
