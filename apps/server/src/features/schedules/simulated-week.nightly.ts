import { expect, it } from 'vitest'
import { faultsOf } from '../../../test/simulated-week/judge-week.ts'
import { simulateWeek, type WeekReport } from '../../../test/simulated-week/simulate-week.ts'

// The long form, seven days on both databases, is `npm run proof simulated-week`.

it('two servers, a weekend with a clock change, and an outage: every moment fired once, every alarm came once', async () => {
  const report = await simulateWeek('2026-03-30T13:30')
  expect(faultsOf(report)).toEqual([])
  expect(report.accepted.length).toBeGreaterThan(10)
  expect(report.alarms.map(({ kind }) => kind)).toEqual(['lane_outage'])

  // What the judge is there to notice.
  const [firing] = report.firings['Nightly in Berlin'] ?? []
  const [alarm] = report.alarms
  const spoilt: Partial<WeekReport>[] = [
    { firings: { ...report.firings, 'Nightly in Berlin': [firing!, firing!] } },
    { firings: { ...report.firings, 'Each hour in Sydney': [] } },
    { alarms: [] },
    { alarms: [alarm!, alarm!] },
    { accepted: [...report.accepted, 'INV-1'] },
    { reports: report.reports + 1 },
  ]
  for (const change of spoilt) expect(faultsOf({ ...report, ...change })).not.toEqual([])
}, 120_000)
