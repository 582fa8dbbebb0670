import type { Db } from '../../src/db/connect.ts'
import { askDatabaseTime } from '../../src/db/outages/database-time.ts'
import { isPostgres } from '../../src/db/dialect.ts'
import { SharedClock } from '../../src/kernel/time/shared-clock.ts'

/** Time that passes for every machine of a test as it says, beside the time that really passes. */
export function openWorld(db: Db) {
  const world = { passedMs: 0, databaseAheadMs: 0, isAway: false }
  const databaseMs = async () => {
    if (world.isAway) throw new Error('The database is away.')
    const ms = isPostgres(db) ? await askDatabaseTime(db) : Date.now()
    return ms + world.passedMs + world.databaseAheadMs
  }
  return {
    databaseMs,
    pass: (ms: number) => (world.passedMs += ms),
    /** Sets the clock of the database. */
    setDatabaseAhead: (ms: number) => (world.databaseAheadMs = ms),
    /** While the database is away, no server can ask for the time. */
    setAway: (isAway: boolean) => (world.isAway = isAway),
    /** A machine whose time of day is ahead of the truth, and the clock that its server goes by. */
    machine: async (aheadMs = 0) => {
      const machine = { aheadMs, sleptMs: 0 }
      const clock = new SharedClock({
        ask: databaseMs,
        machine: {
          wallMs: () => Date.now() + world.passedMs + machine.aheadMs,
          // It stands still while the machine sleeps.
          monotonicMs: () => performance.now() + world.passedMs - machine.sleptMs,
        },
      })
      await clock.measure()
      return {
        clock,
        setAhead: (ms: number) => (machine.aheadMs = ms),
        sleep: (ms: number) => {
          world.passedMs += ms
          machine.sleptMs += ms
        },
      }
    },
  }
}
