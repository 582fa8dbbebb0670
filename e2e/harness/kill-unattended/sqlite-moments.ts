import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BringMoments } from './kill-unattended.ts'

const change = `
  update schedule set next_run_at = :now
  where next_run_at > :now
  returning id
`

/** Brings the moments of the SQLite database in that folder, whether a server has it open or not. */
export function sqliteMoments(folder: string): BringMoments {
  return async () => {
    const database = new DatabaseSync(join(folder, 'gatehouse.sqlite'), { timeout: 5_000 })
    try {
      const plannedFor = new Date().toISOString()
      const rows = database.prepare(change).all({ now: plannedFor }) as { id: number }[]
      return rows.map(({ id }) => ({ scheduleId: id, plannedFor }))
    } finally {
      database.close()
    }
  }
}
