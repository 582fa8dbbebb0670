import type { Logger } from 'pino'
import { systemClock, type Clock } from '../../kernel/clock.ts'
import { Rounds } from '../../kernel/rounds.ts'
import { SharedClock } from '../../kernel/time/shared-clock.ts'
import type { Db } from '../connect.ts'
import { askDatabaseTime } from './database-time.ts'
import { isPostgres } from '../dialect.ts'

const measureEveryMs = 30_000

export interface OpenClock {
  clock: Clock
  /** How far this machine's clock is ahead of the one that counts, in milliseconds. Absent: it is that one. */
  offset?: () => { ms: number; errorMs: number }
  stop(): Promise<void>
}

/** The clock that counts, for work that takes a moment: it is asked for once. */
export async function openMoment(db: Db): Promise<Clock> {
  if (!isPostgres(db)) return systemClock
  const clock = new SharedClock({ ask: () => askDatabaseTime(db), onJump: () => {} })
  await clock.measure()
  await clock.measure()
  return clock
}

/**
 * The clock of a server: PostgreSQL's, which all servers on a database share, or with SQLite the machine's.
 * Rejects where the database can't be asked, unless it `mayBeAway`: until it is there, the machine's clock counts.
 */
export async function openClock(
  db: Db,
  log: Logger,
  { mayBeAway = false }: { mayBeAway?: boolean } = {},
): Promise<OpenClock> {
  if (!isPostgres(db)) {
    return { clock: systemClock, stop: async () => {} }
  }
  const clock = new SharedClock({
    ask: () => askDatabaseTime(db),
    onJump: (byMs) =>
      log.warn(
        { by_ms: Math.round(byMs) },
        'the clock of the database has jumped, or this machine has slept',
      ),
  })
  // The first one waits for a connection.
  const measuring = clock.measure().then(() => clock.measure())
  await (mayBeAway ? measuring.catch(() => {}) : measuring)
  const { ms, errorMs } = clock.offset
  log.info({ offset_ms: Math.round(ms), error_ms: Math.round(errorMs) }, 'clock of the database')
  const rounds = new Rounds({
    everyMs: measureEveryMs,
    work: () => clock.measure(),
    log,
    failure: 'the clock of the database can’t be asked; the time goes on by the machine',
  })
  rounds.start()
  return { clock, offset: () => clock.offset, stop: () => rounds.stop() }
}
