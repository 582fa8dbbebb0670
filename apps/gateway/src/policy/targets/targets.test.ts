import { describe, expect, it } from 'vitest'
import { HealthChecks, limitAtOnce } from './health-checks.ts'
import { Targets } from './targets.ts'

const a = 'http://a.example.com'
const b = 'http://b.example.com'
const c = 'http://c.example.com'
const targetsOf = (weights: Record<string, number>) =>
  new Targets(Object.entries(weights).map(([baseUrl, weight]) => ({ baseUrl, weight })))
const picks = (targets: Targets, count: number) =>
  Array.from({ length: count }, () => targets.pick().replace(/http:\/\/(.).*/, '$1')).join('')

describe('targets', () => {
  it('get their shares, smoothly', () => {
    expect(picks(targetsOf({ [a]: 5, [b]: 1, [c]: 1 }), 14)).toBe('aabacaaaabacaa')
    expect(picks(targetsOf({ [a]: 1, [b]: 1 }), 4)).toBe('abab')
  })

  it('get no call with weight 0, nor while down', () => {
    const targets = targetsOf({ [a]: 1, [b]: 0, [c]: 1 })
    expect(picks(targets, 4)).toBe('acac')
    targets.setHealthy(c, false)
    expect(picks(targets, 3)).toBe('aaa')
    targets.setHealthy(c, true)
    expect(picks(targets, 4)).toMatch(/^(ac|ca){2}$/)
  })

  it('are called as if all were up where all are down, weight 0 aside', () => {
    const targets = targetsOf({ [a]: 2, [b]: 1, [c]: 0 })
    for (const url of [a, b]) targets.setHealthy(url, false)
    expect([...picks(targets, 6)].toSorted().join('')).toBe('aaaabb')
  })

  it('are left after a failure for another one, where there is one', () => {
    const targets = targetsOf({ [a]: 100, [b]: 1 })
    expect(targets.pick(a)).toBe(b)
    targets.setHealthy(b, false)
    expect(targets.pick(a)).toBe(a)
  })
})

/** Time as a list of what is planned; a probe is answered by the test. */
function fakeTools(random = 0.5) {
  const planned: { callback: () => void; delayMs: number; isOff: boolean }[] = []
  const probes: string[] = []
  let answer = true
  return {
    planned,
    probes,
    answerWith: (isWell: boolean) => {
      answer = isWell
    },
    /** Runs what is planned next, and what follows from it. */
    step: async () => {
      planned.shift()?.callback()
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    },
    tools: {
      probe: async (baseUrl: string, path: string) => {
        probes.push(baseUrl + path)
        return answer
      },
      schedule: (callback: () => void, delayMs: number) => {
        const plan = { callback, delayMs, isOff: false }
        planned.push(plan)
        return () => {
          plan.isOff = true
        }
      },
      random: () => random,
    },
  }
}

describe('health checks', () => {
  const settings = {
    path: '/health',
    interval_seconds: 10,
    timeout_ms: 500,
    unhealthy_after: 2,
    healthy_after: 3,
  }

  it('take a target out after its failures in a row, and back in after its successes', async () => {
    const targets = targetsOf({ [`${a}/base`]: 1 })
    const time = fakeTools()
    const checks = new HealthChecks(settings, targets, time.tools)
    const after = async (isWell: boolean) => {
      time.answerWith(isWell)
      await time.step()
      return targets.isHealthy(`${a}/base`)
    }
    const seen = []
    for (const isWell of [false, true, false, false, true, true, false, true, true, true]) {
      seen.push(await after(isWell))
    }
    expect(seen).toEqual([true, true, true, false, false, false, false, false, false, true])
    expect(new Set(time.probes)).toEqual(new Set([`${a}/base/health`]))
    checks.stop()
  })

  it.each([
    [0, 0, 9_000],
    [0.5, 500, 10_000],
    [1, 1_000, 11_000],
  ])('vary their pauses by a tenth (%d)', async (random, first, next) => {
    const time = fakeTools(random)
    const checks = new HealthChecks(settings, targetsOf({ [a]: 1 }), time.tools)
    expect(time.planned[0]?.delayMs).toBe(first)
    await time.step()
    expect(time.planned[0]?.delayMs).toBe(next)
    checks.stop()
  })

  it('plan nothing more once they are stopped', async () => {
    const time = fakeTools()
    const targets = targetsOf({ [a]: 1, [b]: 1 })
    const checks = new HealthChecks({ ...settings, unhealthy_after: 1 }, targets, time.tools)
    const underWay = time.planned.shift()
    time.answerWith(false)
    underWay?.callback()
    checks.stop()
    await Promise.resolve()
    expect(time.planned.map(({ isOff }) => isOff)).toEqual([true])
    expect(targets.isHealthy(a)).toBe(true)
  })

  it('are under way in limited number', async () => {
    const atOnce = limitAtOnce(2)
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const started: number[] = []
    const all = gates.map(({ promise }, number) =>
      atOnce(() => {
        started.push(number)
        return promise
      }),
    )
    expect(started).toEqual([0, 1])
    gates[1]?.resolve()
    await all[1]
    await Promise.resolve()
    expect(started).toEqual([0, 1, 2])
    for (const { resolve } of gates) resolve()
    await Promise.all(all)
    expect(started).toEqual([0, 1, 2, 3])
  })
})
