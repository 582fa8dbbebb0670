import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ScheduleTable } from './schedule-table.ts'

const change = `
  update schedule set next_run_at = :now
  where next_run_at > :now
  returning id
`
const begun = `
  select count(*) as count from schedule_firing as firing
  where state = 'running' and lease_owner = ?
    and exists (select 1 from schedule_item where firing_id = firing.id)
`

/** The schedules of the SQLite database in that folder, whether a server has it open or not. */
export function sqliteSchedules(folder: string): ScheduleTable {
  const inDatabase = <T>(work: (database: DatabaseSync) => T): Promise<T> => {
    const database = new DatabaseSync(join(folder, 'gatehouse.sqlite'), { timeout: 5_000 })
    try {
      return Promise.resolve(work(database))
    } finally {
      database.close()
    }
  }
  return {
    bringMoments: () =>
      inDatabase((database) => {
        const plannedFor = new Date().toISOString()
        const rows = database.prepare(change).all({ now: plannedFor }) as { id: number }[]
        return rows.map(({ id }) => ({ scheduleId: id, plannedFor }))
      }),
    countBegun: (server) =>
      inDatabase((database) => (database.prepare(begun).get(server) as { count: number }).count),
  }
}
