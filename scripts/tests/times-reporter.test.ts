import { expect, it } from 'vitest'
import { sumBySuite } from './times-reporter.mjs'

const row = (suite: string, cpuMs: number) => ({ suite, file: 'f', tests: 2, cpuMs, wallMs: 5 })

it('sums files by suite, the suite with the most CPU time first', () => {
  expect(sumBySuite([row('server', 10), row('e2e', 40), row('server', 20)])).toEqual([
    { suite: 'e2e', file: '1 files', tests: 2, cpuMs: 40, wallMs: 5 },
    { suite: 'server', file: '2 files', tests: 4, cpuMs: 30, wallMs: 10 },
  ])
})
