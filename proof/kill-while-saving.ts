import { killWhileSaving } from '../e2e/harness/kill-while-saving.ts'

// The long form of the test of the same name: every acknowledged save is there after 50 SIGKILLs.
const { lost, ...report } = await killWhileSaving(50)
console.log({ ...report, lost: lost.length })
if (lost.length > 0) {
  console.error(`lost: ${lost.join(', ')}`)
  process.exitCode = 1
}
