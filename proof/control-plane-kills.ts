import { killControlPlane } from '../e2e/harness/control-kills/kill-control-plane.ts'

// The long form of the test of the same name: the control plane is killed 200 times, every tenth time it is stuck,
// while 500 requests a second pass through the gateway. None may fail.
const { failures, problems, backMs, slowestMs, ...report } = await killControlPlane({
  kills: Number(process.argv[2] ?? 200),
  stuckEvery: 10,
  perSecond: 500,
  connections: 32,
  livesMaxMs: 15_000,
})
const sorted = backMs.toSorted((one, other) => one - other)
console.log({
  ...report,
  failed: failures.length,
  problems: problems.length,
  'slowest answer, ms': Math.round(slowestMs),
  'dashboard back after, ms, median': Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
  'at most': Math.round(sorted.at(-1) ?? 0),
})
for (const line of [...failures, ...problems].slice(0, 20)) console.error(line)
if (failures.length + problems.length + report.ended.length > 0) process.exitCode = 1
