import { keepMillion, type Engine } from './million/kept-database.ts'

// Fills the data set of other benches: a million runs and documents of 400 days with their words, on SQLite and
// PostgreSQL. Where it is there already, it is brought up to date.
//
//   npm run bench million [runs [sqlite|postgres]]
//
// It stays in the temporary folder; delete it there to fill it again.

const runs = Number(process.argv[2] ?? 1_000_000)
const chosen = process.argv[3]
const engines: Engine[] =
  chosen === 'sqlite' || chosen === 'postgres' ? [chosen] : ['sqlite', 'postgres']

for (const engine of engines) {
  const began = performance.now()
  const folder = await keepMillion(engine, runs)
  console.log(`${engine}: ${folder}, ${Math.round((performance.now() - began) / 1000)} s`)
}
