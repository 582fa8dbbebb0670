import { describe, expect, it } from 'vitest'
import { CircuitBreaker } from './circuit-breaker.ts'
import { ConcurrencyLimit } from '../limits/concurrency.ts'

const settings = {
  failure_percent: 50,
  window_seconds: 10,
  minimum_requests: 4,
  cool_down_seconds: 5,
}

/** A breaker after these calls: `+` went well, `-` failed. */
function after(calls: string, nowMs = 1_000) {
  const breaker = new CircuitBreaker(settings)
  for (const call of calls) {
    if (call === '+') breaker.succeeded(false, nowMs)
    else breaker.failed(false, nowMs)
  }
  return breaker
}

it('is open since it first refused, however often a trial fails', () => {
  const breaker = after('----')
  expect(after('---').openForMs(9_000)).toBeNull()
  expect(breaker.openForMs(1_500)).toBe(500)
  expect(breaker.admit(6_000)).toEqual({ isAdmitted: true, isTrial: true })
  breaker.failed(true, 6_100)
  expect(breaker.openForMs(7_000)).toBe(6_000)
  expect(breaker.admit(11_100)).toEqual({ isAdmitted: true, isTrial: true })
  breaker.succeeded(true, 11_200)
  expect(breaker.openForMs(11_200)).toBeNull()
  for (let call = 0; call < 4; call++) breaker.failed(false, 12_000)
  expect(breaker.openForMs(12_001)).toBe(1)
})

describe('a circuit breaker', () => {
  it.each([
    ['---', 'closed'],
    ['----', 'open'],
    ['+++-', 'closed'],
    ['++--', 'open'],
    ['+++---', 'open'],
    ['++++++++-', 'closed'],
  ])('after %s is %s', (calls, state) => {
    expect(after(calls).state(1_000)).toBe(state)
  })

  it('forgets calls that have left its window', () => {
    const breaker = after('---', 1_000)
    for (const nowMs of [9_000, 12_000]) breaker.succeeded(false, nowMs)
    breaker.failed(false, 12_000)
    expect(breaker.state(12_000)).toBe('closed')
    breaker.failed(false, 12_500)
    expect(breaker.state(12_500)).toBe('open')
  })

  it('open refuses for the cool-down and says how long that still is', () => {
    const breaker = after('----', 1_000)
    expect(breaker.admit(1_000)).toEqual({ isAdmitted: false, retryAfterSeconds: 5 })
    expect(breaker.admit(5_999)).toEqual({ isAdmitted: false, retryAfterSeconds: 1 })
    expect(breaker.admit(6_000)).toEqual({ isAdmitted: true, isTrial: true })
  })

  it('half-open lets one call through to try, not two', () => {
    const breaker = after('----')
    expect(breaker.admit(7_000)).toMatchObject({ isTrial: true })
    expect(breaker.admit(7_000)).toEqual({ isAdmitted: false, retryAfterSeconds: 1 })
  })

  it('closes when the trial goes well, with a clean slate', () => {
    const breaker = after('----')
    breaker.admit(7_000)
    breaker.succeeded(true, 7_500)
    expect(breaker.state(7_500)).toBe('closed')
    for (let failed = 0; failed < 3; failed++) breaker.failed(false, 7_500)
    expect(breaker.state(7_500)).toBe('closed')
  })

  it('opens for another cool-down when the trial fails', () => {
    const breaker = after('----')
    breaker.admit(7_000)
    breaker.failed(true, 8_000)
    expect(breaker.admit(12_999)).toMatchObject({ isAdmitted: false })
    expect(breaker.admit(13_000)).toMatchObject({ isTrial: true })
  })

  it('tries again with the next call where the trial said nothing', () => {
    const breaker = after('----')
    breaker.admit(7_000)
    breaker.abandoned(true)
    expect(breaker.admit(7_001)).toMatchObject({ isTrial: true })
  })

  it('is not moved by calls that were under way when it opened', () => {
    const breaker = after('----')
    breaker.succeeded(false, 2_000)
    breaker.failed(false, 5_900)
    expect(breaker.state(6_000)).toBe('half-open')
  })
})

it('a concurrency limit gives out its places and takes them back', () => {
  const limit = new ConcurrencyLimit(2)
  expect([limit.enter(), limit.enter(), limit.enter()]).toEqual([true, true, false])
  limit.leave()
  expect([limit.enter(), limit.enter()]).toEqual([true, false])
})
