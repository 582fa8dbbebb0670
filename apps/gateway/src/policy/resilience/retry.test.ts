import { describe, expect, it } from 'vitest'
import { announcesTooMuch, BodyMeter } from '../limits/body-size.ts'
import { retryAfterMs, retryDelayMs, type TryOutcome } from './retry.ts'

const settings = { attempts: 2, backoff_ms: 100 }
const nowMs = Date.parse('2026-06-01T08:00:00Z')
const longest = () => 1
const delayOf = (outcome: Partial<TryOutcome>, random = longest) =>
  retryDelayMs(
    settings,
    {
      method: 'GET',
      isRepeatable: true,
      retries: 0,
      isSent: true,
      status: 503,
      leftMs: 60_000,
      ...outcome,
    },
    random,
    nowMs,
  )

describe('a request is sent again', () => {
  it.each([502, 503, 504])('after %i', (status) => {
    expect(delayOf({ status })).toBe(100)
  })

  it('where nothing of it had left', () => {
    expect(delayOf({ isSent: false, status: undefined })).toBe(100)
  })

  it('after a pause that doubles, drawn at random from its whole length', () => {
    expect(delayOf({ retries: 1 })).toBe(200)
    expect(delayOf({}, () => 0.25)).toBe(25)
    expect(delayOf({}, () => 0)).toBe(0)
  })

  it('no sooner than the upstream asks for', () => {
    expect(delayOf({ retryAfter: '2' })).toBe(2_000)
    expect(delayOf({ retryAfter: 'Mon, 01 Jun 2026 08:00:03 GMT' })).toBe(3_000)
    expect(delayOf({ retryAfter: '0' })).toBe(100)
    expect(delayOf({ retryAfter: 'soon' })).toBe(100)
  })
})

describe('a request is not sent again', () => {
  it.each<[string, Partial<TryOutcome>]>([
    ['where its method is not safe', { method: 'POST' }],
    ['where its method is not safe, though nothing was sent', { method: 'PUT', isSent: false }],
    ['where its endpoint is declared to be a submit', { isRepeatable: false }],
    ['of a submit, though nothing was sent', { isRepeatable: false, isSent: false }],
    ['where it was sent and no answer came', { status: undefined }],
    ['after an answer', { status: 200 }],
    ['after a 500', { status: 500 }],
    ['after a 429', { status: 429 }],
    ['more often than allowed', { retries: 2 }],
    ['where the pause would outlast the time that is left', { leftMs: 100 }],
    ['where the upstream asks for more time than is left', { retryAfter: '61' }],
  ])('%s', (_, outcome) => {
    expect(delayOf(outcome)).toBeUndefined()
  })
})

it('Retry-After is seconds or a date, and anything else is ignored', () => {
  expect(retryAfterMs('120', nowMs)).toBe(120_000)
  expect(retryAfterMs('Mon, 01 Jun 2026 07:59:00 GMT', nowMs)).toBe(0)
  for (const wrong of [undefined, '', '-1', '1.5', '2026-06-01', 'tomorrow']) {
    expect(retryAfterMs(wrong, nowMs)).toBeUndefined()
  }
})

describe('the size of a body', () => {
  it('is refused by what is announced', () => {
    expect(announcesTooMuch(101, 100)).toBe(true)
    expect(announcesTooMuch(100, 100)).toBe(false)
    expect(announcesTooMuch(-1, 0)).toBe(false)
  })

  it('is refused with the first chunk over it', () => {
    const meter = new BodyMeter(100)
    expect([60, 40, 1].map((bytes) => meter.accepts(bytes))).toEqual([true, true, false])
    expect(new BodyMeter(0).accepts(1)).toBe(false)
  })
})
