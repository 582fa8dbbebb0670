import { growsWhileAway, measureAbsence, type Absence } from '../e2e/harness/soak/absence.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// The long form of e2e/operations/absence.nightly.ts: PostgreSQL is away from two complete servers, and from a control plane with two
// gateways, silent and gone, all at the same time. The number of descriptors has to stop growing.
// npm run proof absence -- [seconds]
const seconds = Number(process.argv[2] ?? 270)
let faults = 0

async function measure(place: 'complete' | 'roles', absence: Absence): Promise<void> {
  const postgres = await startPostgres()
  try {
    const { descriptors, refused, calls } = await measureAbsence({
      place,
      absence,
      databaseUrl: postgres.url,
      awayMs: seconds * 1_000,
      everyMs: 15_000,
      restMaxMs: 30_000,
    })
    console.log(`${place}, ${absence}: ${calls} calls of gateways, ${refused} refused`)
    for (const [name, counts] of Object.entries(descriptors)) {
      console.log(`  ${name.padEnd(20)} ${counts.join(' ')}`)
      if (growsWhileAway(counts)) faults++
    }
    faults += refused
  } finally {
    await postgres.stop()
  }
}

await Promise.all(
  (['complete', 'roles'] as const).flatMap((place) =>
    (['silent', 'gone'] as const).map((absence) => measure(place, absence)),
  ),
)
console.log(faults === 0 ? 'nothing grows' : `${faults} faults`)
if (faults > 0) process.exitCode = 1
