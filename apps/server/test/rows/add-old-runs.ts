// Adds test runs of forty days ago to the SQLite database in a folder, as a process of its own, and prints their
// ids as JSON. Each body holds `blue bicycle` and its number.
// node add-old-runs.ts <folder> <count>

import { connect } from '../../src/db/connect.ts'
import { addEndedRuns } from './archive-rows.ts'

const [folder = '', count = ''] = process.argv.slice(2)
const db = connect({ kind: 'file', folder })
const ids = await addEndedRuns(db, {
  at: new Date(Date.now() - 40 * 86_400_000),
  count: Number(count),
  run: { is_test: 1 },
  paddingOf: (n) => `blue bicycle ${n}`,
})
await db.destroy()
process.stdout.write(JSON.stringify(ids))
