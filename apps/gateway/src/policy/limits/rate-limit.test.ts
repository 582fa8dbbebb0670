import { describe, expect, it } from 'vitest'
import { addressGroup } from '@gatehouse/upstream/http'
import { clientKey } from './client-key.ts'
import { RateLimiter, rateLimitFields } from './rate-limit.ts'

const limiterOf = (requests: number, windowSeconds: number) =>
  new RateLimiter({ requests, windowSeconds })

describe('a rate limit', () => {
  it('lets the quota through at once, and says from then on when to come back', () => {
    const limiter = limiterOf(3, 60)
    const seen = Array.from({ length: 5 }, () => limiter.take('a', 1_000))
    expect(seen.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, false, false])
    expect(seen.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0])
    expect(seen.map(({ resetSeconds }) => resetSeconds)).toEqual([20, 40, 60, 60, 60])
    expect(seen.map(({ retryAfterSeconds }) => retryAfterSeconds)).toEqual([0, 0, 0, 20, 20])
  })

  it('lets a client in that comes back after Retry-After, and not sooner', () => {
    const limiter = limiterOf(3, 60)
    for (let taken = 0; taken < 3; taken++) limiter.take('a', 0)
    expect(limiter.take('a', 19_975).isAllowed).toBe(false)
    expect(limiter.take('a', 20_000).isAllowed).toBe(true)
    expect(limiter.take('a', 20_000).isAllowed).toBe(false)
  })

  it('is whole again after a quiet window, and never more than whole', () => {
    const limiter = limiterOf(3, 60)
    for (let taken = 0; taken < 3; taken++) limiter.take('a', 0)
    const later = Array.from({ length: 4 }, () => limiter.take('a', 1_000_000).isAllowed)
    expect(later).toEqual([true, true, true, false])
  })

  it.each([
    [1, 1],
    [7, 60],
    [100, 60],
    [1_000_000, 86_400],
    [3, 86_400],
  ])('of %i in %i s admits exactly the quota of a burst', (requests, windowSeconds) => {
    const limiter = limiterOf(requests, windowSeconds)
    let admitted = 0
    while (limiter.take('a', 12_345.678).isAllowed) admitted++
    expect(admitted).toBe(requests)
  })

  it('counts each client separately', () => {
    const limiter = limiterOf(1, 60)
    expect(limiter.take('a', 0).isAllowed).toBe(true)
    expect(limiter.take('b', 0).isAllowed).toBe(true)
    expect(limiter.take('a', 0).isAllowed).toBe(false)
  })

  it('counts what other workers have let through, once', () => {
    const [one, other] = [limiterOf(4, 60), limiterOf(4, 60)]
    for (let taken = 0; taken < 3; taken++) one.take('a', 0)
    expect(one.drain()).toEqual([['a', 3]])
    expect(one.drain()).toEqual([])
    other.absorb('a', 3, 5_000)
    expect(other.drain()).toEqual([])
    expect(other.take('a', 5_000)).toMatchObject({ isAllowed: true, remaining: 0 })
    expect(other.take('a', 5_000)).toMatchObject({ isAllowed: false, retryAfterSeconds: 15 })
  })

  it('asks for a client over its quota once a second, so that a Redis without data learns of it', () => {
    const share = { servers: 1, isConnected: true, isShared: true }
    const limiter = new RateLimiter({ requests: 2, windowSeconds: 86_400, share })
    limiter.adopt('a', { isAllowed: true, busyMs: 86_400_000 }, 0, 0)
    expect(limiter.refusal('a', 10)?.isAllowed).toBe(false)
    expect(limiter.refusal('a', 1_009)?.isAllowed).toBe(false)
    expect(limiter.refusal('a', 1_010)).toBeNull()
    expect(limiter.ahead('a', 1_010)).toEqual({ knownMs: 86_398_990, alone: 0 })
    expect(limiter.refusal('a', 1_020)?.isAllowed).toBe(false)
  })

  it('remembers no more than the others know, however long the round trip was', () => {
    const share = { servers: 1, isConnected: true, isShared: true }
    const limiter = new RateLimiter({ requests: 1_000, windowSeconds: 1, share })
    limiter.adopt('a', { isAllowed: true, busyMs: 50 }, 100, 110)
    expect(limiter.ahead('a', 110).knownMs).toBe(30)
    expect(limiter.ahead('a', 200)).toEqual({ knownMs: 0, alone: 0 })
  })

  it('tells the others what it let through alone, once, or again where they could not be reached', () => {
    const share = { servers: 2, isConnected: true, isShared: false }
    const limiter = new RateLimiter({ requests: 100, windowSeconds: 100, share })
    limiter.adopt('a', { isAllowed: true, busyMs: 20_000 }, 0, 0)
    for (let taken = 0; taken < 3; taken++) limiter.take('a', 1_000)
    limiter.absorb('a', 1, 1_000)
    const ahead = limiter.ahead('a', 2_000)
    expect(ahead).toEqual({ knownMs: 18_000, alone: 3 })
    expect(limiter.ahead('a', 2_000).alone).toBe(0)
    limiter.keep('a', ahead, 2_000)
    limiter.take('a', 3_000)
    expect(limiter.ahead('a', 4_000)).toEqual({ knownMs: 16_000, alone: 4 })
  })

  it('owes what the workers together let through beyond it', () => {
    const [one, other] = [limiterOf(2, 60), limiterOf(2, 60)]
    for (const limiter of [one, other]) for (let taken = 0; taken < 2; taken++) limiter.take('a', 0)
    one.absorb('a', 2, 0)
    expect(one.take('a', 60_000)).toMatchObject({ isAllowed: false, retryAfterSeconds: 30 })
    expect(one.take('a', 90_000).isAllowed).toBe(true)
  })

  it('says what it is in fields of the IETF draft', () => {
    const limiter = limiterOf(3, 60)
    expect(rateLimitFields(limiter, limiter.take('a', 0))).toEqual([
      'RateLimit-Limit',
      '3',
      'RateLimit-Remaining',
      '2',
      'RateLimit-Reset',
      '20',
      'RateLimit-Policy',
      '3;w=60',
    ])
  })
})

describe('the client of a request', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
  ])('%s counts as %s', (address, key) => {
    expect(addressGroup(address)).toBe(key)
  })

  it('is the user of its token, its address or the endpoint; without a token its address', () => {
    const client = { quotaKey: 'u7', address: '203.0.113.9', endpointId: 3 }
    expect(clientKey('token', client)).toBe('u7')
    expect(clientKey('token', { ...client, quotaKey: null })).toBe('203.0.113.9')
    expect(clientKey('address', client)).toBe('203.0.113.9')
    expect(clientKey('endpoint', client)).toBe('3')
  })
})
