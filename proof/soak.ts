import { runRedis } from '../e2e/harness/soak/own-redis.ts'
import { restingSlack, soak, type SoakReport } from '../e2e/harness/soak/soak.ts'
import type { SoakPlace } from '../e2e/harness/soak/soak-places.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// The long form of e2e/operations/soak.nightly.ts: a server on SQLite, two complete servers on one PostgreSQL, and a control plane
// with two gateways, all at the same time, under a load of a few requests a second. Memory and descriptors of each
// process have to be flat over the last two thirds of the time.
// npm run proof soak -- [minutes] [sqlite | complete | roles]
const minutes = Number(process.argv[2] ?? 30)
const only = process.argv[3] as SoakPlace | undefined
const minuteMs = 60_000

/** What counts as flat. What leaks with each request, change or stream grows by far more than this in an hour. */
const flat = { rssMiBPerHour: 40, heapMiBPerHour: 10, descriptorsPerHour: 30 }

const options = {
  warmUpMs: 30_000,
  durationMs: minutes * minuteMs,
  sampleEveryMs: 10_000,
  pace: 1,
  restMaxMs: 90_000,
}

async function onBackends(place: SoakPlace): Promise<SoakReport> {
  const postgres = await startPostgres()
  const redis = await runRedis()
  try {
    const backends = { databaseUrl: postgres.url, redisUrl: redis.url }
    return await soak({ ...options, place, backends })
  } finally {
    await redis.stop()
    await postgres.stop()
  }
}

/** A machine that is busy with other work refuses some: this is about what grows. */
const faultsMaxShare = 0.01

function problemsOf({ counts, faults, ended, processes }: SoakReport): string[] {
  const found = [...ended]
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (faults.length > done * faultsMaxShare) found.push(`${faults.length} of ${done} failed`)
  for (const each of processes) {
    const { name, restingBefore, restingAfter } = each
    if (each.rssSlopeMiBPerHour > flat.rssMiBPerHour) found.push(`${name}: its memory grows`)
    if ((each.heapSlopeMiBPerHour ?? 0) > flat.heapMiBPerHour) found.push(`${name}: its heap grows`)
    if (each.descriptorsSlopePerHour > flat.descriptorsPerHour)
      found.push(`${name}: its descriptors become more`)
    if (restingAfter - restingBefore > restingSlack)
      found.push(`${name}: descriptors are left over`)
  }
  return found
}

const places: SoakPlace[] = only ? [only] : ['sqlite', 'complete', 'roles']
const reports = await Promise.all(
  places.map((place) => (place === 'sqlite' ? soak({ ...options, place }) : onBackends(place))),
)
const rounded = (value: unknown) =>
  typeof value === 'number' ? Math.round(value * 10) / 10 : value
for (const report of reports) {
  console.log(`${report.place}, ${minutes} minutes:`, report.counts)
  for (const fault of report.faults) console.log(`  failed: ${fault.slice(0, 200)}`)
  console.table(
    report.processes.map((each) =>
      Object.fromEntries(Object.entries(each).map(([key, value]) => [key, rounded(value)])),
    ),
  )
}
const problems = reports.flatMap((report) =>
  problemsOf(report).map((problem) => `${report.place}: ${problem}`),
)
for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? 'all is flat' : `${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
