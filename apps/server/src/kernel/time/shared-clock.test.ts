import { expect, it } from 'vitest'
import { SharedClock } from './shared-clock.ts'

const hourMs = 3_600_000

/** A machine and a database whose clocks the test sets; an answer takes `tripMs`. */
function build() {
  const at = { wallMs: 1_000_000_000, monotonicMs: 50, sharedMs: 2_000_000_000, tripMs: 0 }
  const jumps: number[] = []
  const pass = (ms: number) => {
    at.wallMs += ms
    at.monotonicMs += ms
    at.sharedMs += ms
  }
  const clock = new SharedClock({
    ask: async () => {
      pass(at.tripMs / 2)
      const answer = at.sharedMs
      pass(at.tripMs / 2)
      return answer
    },
    onJump: (byMs) => jumps.push(byMs),
    machine: { wallMs: () => at.wallMs, monotonicMs: () => at.monotonicMs },
  })
  return { at, jumps, pass, clock, nowMs: () => clock.now().getTime() }
}

it('shows the shared time, whatever the machine’s time of day is changed to', async () => {
  const { at, pass, clock, nowMs } = build()
  await clock.measure()
  for (const aheadMs of [hourMs, -2 * hourMs]) {
    at.wallMs += aheadMs
    pass(5_000)
    expect(nowMs()).toBe(at.sharedMs)
  }
  expect(clock.offset.ms).toBe(at.wallMs - at.sharedMs)
  expect(clock.toMachine(clock.now()).getTime()).toBe(at.wallMs)
})

it('says how wrong it may be: half the round trip of the best answer, and drift since', async () => {
  const { at, pass, clock } = build()
  at.tripMs = 40
  await clock.measure()
  expect(clock.offset.errorMs).toBe(20)
  at.tripMs = 2_000
  await clock.measure()
  expect(clock.offset.errorMs).toBeLessThan(21)
  pass(100_000)
  expect(clock.offset.errorMs).toBeGreaterThan(30)
})

it('never goes back by a drift that a measurement corrects', async () => {
  const { at, pass, clock, nowMs } = build()
  await clock.measure()
  pass(10_000)
  const shownMs = nowMs()
  at.sharedMs -= 300
  await clock.measure()
  expect(nowMs()).toBe(shownMs)
  pass(1_000)
  expect(nowMs()).toBe(at.sharedMs)
})

it.each([hourMs, -hourMs])(
  'follows a jump of the shared time by %d ms, and judges nothing for a minute',
  async (byMs) => {
    const { at, jumps, pass, clock, nowMs } = build()
    await clock.measure()
    expect(await clock.isSteady()).toBe(true)
    pass(2_000)
    at.sharedMs += byMs
    expect(await clock.isSteady()).toBe(false)
    expect(jumps).toEqual([byMs])
    expect(nowMs()).toBe(at.sharedMs)
    pass(59_000)
    expect(await clock.isSteady()).toBe(false)
    pass(1_000)
    expect(await clock.isSteady()).toBe(true)
  },
)

it('asks again after a sleep of the machine, before anything is judged by it', async () => {
  const { at, pass, clock, nowMs } = build()
  await clock.measure()
  pass(1_000)
  expect(await clock.sync()).toBe(true)
  at.wallMs += 40_000
  at.sharedMs += 40_000
  expect(nowMs()).toBe(at.sharedMs - 40_000)
  expect(await clock.sync()).toBe(true)
  expect(nowMs()).toBe(at.sharedMs)
})

it('is not trusted after a sleep while the time can’t be asked for', async () => {
  const machine = { wallMs: 5, monotonicMs: 5 }
  let isAway = false
  const clock = new SharedClock({
    ask: async () => {
      if (isAway) throw new Error('The database is away.')
      return 1_000_000
    },
    machine: { wallMs: () => machine.wallMs, monotonicMs: () => machine.monotonicMs },
  })
  await clock.measure()
  isAway = true
  expect(await clock.sync()).toBe(true)
  machine.wallMs += 40_000
  expect(await clock.sync()).toBe(false)
  machine.monotonicMs += 2_000
  expect(await clock.isSteady()).toBe(false)
})
