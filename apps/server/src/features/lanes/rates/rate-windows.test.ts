import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../test/run-model/random.ts'
import {
  changeRate,
  emptyRate,
  findLimit,
  freeCalls,
  nextFreeMs,
  type RateLimits,
  type RateState,
} from './rate-windows.ts'

const lengths = { second: 1_000, minute: 60_000, hour: 3_600_000 }

interface Simulation {
  limits: RateLimits
  /** The longest that a call is under way. */
  latencyMs: number
  servers: number
  untilMs: number
}

/**
 * Servers that make as many calls as they may. Each call reaches the authority at a random moment between
 * its begin and its end. Returns those moments, in their order.
 */
function simulate({ limits, latencyMs, servers, untilMs }: Simulation, seed: number): number[] {
  const { below } = createRandom(seed)
  const random = () => below(1e6) / 1e6
  const arrivals: number[] = []
  const calls: { server: number; endMs: number }[] = []
  let state: RateState = emptyRate()
  let nowMs = 0
  while (nowMs < untilMs) {
    const server = Math.floor(random() * servers)
    const ended = calls.filter((call) => call.server === server && call.endMs <= nowMs)
    for (const call of ended) calls.splice(calls.indexOf(call), 1)
    const own = calls.filter((call) => call.server === server).length
    const change = {
      owner: `s${server}/1`,
      server: `s${server}`,
      ended: ended.map(({ endMs }) => endMs),
      nowMs,
      untilMs: nowMs + 30_000,
    }
    const before = changeRate(state, { ...change, open: own })
    const free = freeCalls(before, limits, nowMs)
    state = changeRate(state, { ...change, open: own + free })
    for (let call = 0; call < free; call++) {
      const endMs = nowMs + random() * latencyMs
      arrivals.push(nowMs + random() * (endMs - nowMs))
      calls.push({ server, endMs })
    }
    nowMs += random() * 20
  }
  return arrivals.toSorted((a, b) => a - b)
}

/** The most arrivals in any window, by the authority's clock. */
function mostIn(arrivals: readonly number[], lengthMs: number): number {
  let [most, from] = [0, 0]
  for (const [at, arrival] of arrivals.entries()) {
    while ((arrivals[from] ?? 0) <= arrival - lengthMs) from++
    most = Math.max(most, at - from + 1)
  }
  return most
}

describe('limits on the clock of the authority', () => {
  it.each([
    [{ second: 5 }, 900, 1],
    [{ second: 20 }, 300, 2],
    [{ second: 10, minute: 60 }, 2_000, 3],
    [{ second: 3, minute: 50, hour: 70 }, 500, 2],
  ] as const)(
    '%o are never passed, with calls of up to %d ms on %d servers',
    (limits, latencyMs, servers) => {
      for (let seed = 1; seed <= 3; seed++) {
        const arrivals = simulate({ limits, latencyMs, servers, untilMs: 40_000 }, seed)
        expect(arrivals.length).toBeGreaterThan(20)
        for (const [window, limit] of Object.entries(limits))
          expect(mostIn(arrivals, lengths[window as keyof typeof lengths])).toBeLessThanOrEqual(
            limit,
          )
      }
    },
  )

  it.each([
    [{ second: 20 }, 20 * 20],
    [{ minute: 120 }, 120 * 5],
  ])('%o are used by nine tenths where there is work', (limits: RateLimits, ideal) => {
    const untilMs = limits.second ? 20_000 : 300_000
    const arrivals = simulate({ limits, latencyMs: 20, servers: 2, untilMs }, 7)
    expect(arrivals.length).toBeGreaterThan(ideal * 0.9)
  })
})

const change = {
  owner: 'a/1',
  server: 'a',
  open: 0,
  ended: [] as number[],
  nowMs: 0,
  untilMs: 30_000,
}

it('calls of a process that is gone end when another process of its server counts, or after their time', () => {
  const state = changeRate(emptyRate(), { ...change, open: 3 })
  const limits = { second: 4 }
  expect(freeCalls(state, limits, 0)).toBe(1)
  const restarted = changeRate(state, { ...change, owner: 'a/2', nowMs: 100 })
  expect(freeCalls(restarted, limits, 1_099)).toBe(1)
  expect(freeCalls(restarted, limits, 1_100)).toBe(4)
  const other = { ...change, owner: 'b/1', server: 'b', untilMs: 90_000 }
  expect(freeCalls(changeRate(state, { ...other, nowMs: 29_999 }), limits, 31_000)).toBe(1)
  const late = changeRate(state, { ...other, nowMs: 30_000 })
  expect(freeCalls(late, limits, 30_999)).toBe(1)
  expect(freeCalls(late, limits, 31_000)).toBe(4)
})

it('says when the next call may begin, and which limit holds it back', () => {
  const limits = { second: 2, minute: 3 }
  const state = changeRate(emptyRate(), { ...change, ended: [10, 500], nowMs: 500 })
  expect(freeCalls(state, limits, 600)).toBe(0)
  expect(nextFreeMs(state, limits, 600)).toBe(1_010)
  expect(findLimit(state, limits, 600)).toBe('The limit of 2 calls per second.')
  const open = changeRate(state, { ...change, open: 2, nowMs: 600 })
  expect(nextFreeMs(open, limits, 600)).toBeUndefined()
  expect(findLimit(open, limits, 2_000)).toBe('The limit of 2 calls per second.')
})
