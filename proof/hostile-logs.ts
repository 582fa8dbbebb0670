import { checkChangingLog } from '../apps/server/test/hostile-logs/check-changing.ts'
import { checkHostileLogs } from '../apps/server/test/hostile-logs/check.ts'

// The long form of the tests of the same name: a thousand files with lines of 70 MB, and a file that
// changes 20,000 times while it is read.
const files = await checkHostileLogs({ count: 1_000, longLineBytes: 70_000_000 })
console.log({ ...files, problems: files.problems.length })
const changes = await checkChangingLog(20_000)
console.log({ ...changes, problems: changes.problems.length })
const problems = [...files.problems, ...changes.problems]
const isHeavy = Math.max(files.peakMiB, changes.peakMiB) >= 150
if (problems.length > 0 || isHeavy) {
  console.error(problems.slice(0, 20).join('\n'))
  process.exitCode = 1
}
