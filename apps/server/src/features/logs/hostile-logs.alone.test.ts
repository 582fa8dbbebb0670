import { expect, it } from 'vitest'
import { checkChangingLog } from '../../../test/hostile-logs/check-changing.ts'
import { checkHostileLogs } from '../../../test/hostile-logs/check.ts'

// The long form, with lines of 70 MB: npm run proof -- hostile-logs
it('two hundred hostile files: no wrong row, no crash, at most 100 MiB for reading', async () => {
  const report = await checkHostileLogs({ count: 210, longLineBytes: 3_000_000 })
  expect(report.problems).toEqual([])
  expect(report.files).toBe(210)
  expect(report.rows).toBeGreaterThan(20_000)
  expect(report.peakMiB).toBeLessThan(100)
})

it('a file that grows, is rotated, emptied and rewritten while it is read: no wrong row', async () => {
  const report = await checkChangingLog(1_500)
  expect(report.problems).toEqual([])
  expect(report.answers).toBeGreaterThan(1_000)
  expect(report.rows).toBeGreaterThan(10_000)
  expect(report.peakMiB).toBeLessThan(100)
})
