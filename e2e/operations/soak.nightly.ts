import { describe, expect, it } from 'vitest'
import { restingSlack, soak } from '../harness/soak/soak.ts'

// The short form of `npm run proof soak`: counts descriptors, which need no hour to show that some stay open.

describe.skipIf(process.platform !== 'linux')('one server under changes, runs and streams', () => {
  it('holds as many files and sockets afterwards as before', async () => {
    const { faults, ended, counts, processes } = await soak({
      place: 'sqlite',
      warmUpMs: 6_000,
      durationMs: 16_000,
      sampleEveryMs: 2_000,
      pace: 6,
      restMaxMs: 20_000,
    })
    expect(faults).toEqual([])
    expect(ended).toEqual([])
    for (const kind of [
      'streams that were left',
      'answers that are cut',
      'tokens',
      'runs',
      'changes',
    ])
      expect(counts[kind], kind).toBeGreaterThan(2 * restingSlack)
    expect(processes.map(({ name }) => name)).toEqual([
      'server, parent',
      'server, gateway',
      'server, worker 1',
      'server, worker 2',
      'server, control plane',
    ])
    for (const { name, restingBefore, restingAfter } of processes)
      expect(restingAfter - restingBefore, name).toBeLessThanOrEqual(restingSlack)
  })
})
