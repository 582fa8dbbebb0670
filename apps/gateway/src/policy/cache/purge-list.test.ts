import type { CachePurge } from '@gatehouse/contract/gateway'
import { describe, expect, it } from 'vitest'
import { isPurgedBy } from './purge-list.ts'
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
    expect(isPurgedBy(purge('path', value), url, {})).toBe(isDropped)
  })
})

it('looks at each answer once, also where an address keeps some of its answers', () => {
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
      value: 'ar',
      get kind() {
        looks++
        return 'tag' as const
      },
    },
  ])
  expect(looks).toBe(100)
  for (const url of addresses) {
    expect(lookUp({ 'accept-language': 'en' }, url).kind).toBe('hit')
    expect(lookUp({ 'accept-language': 'ar' }, url).kind).toBe('miss')
  }
})
