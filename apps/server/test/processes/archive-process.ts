import { pino } from 'pino'
import { connect, type DatabaseSource } from '../../src/db/connect.ts'
import { databaseSize } from '../../src/db/dialect.ts'
import { openReader } from '../../src/db/reading/reader.ts'
import { createArchive, createArchivedBodies } from '../../src/features/archive/create-archive.ts'
import { Duty } from '../../src/features/duties/duty.ts'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { createStores, inTransactionOn } from '../../src/stores.ts'

// A server that only archives, for tests that kill it. Prints a line when it begins, and when all is done.

const { source, folder, fileLines, dieAtStep } = JSON.parse(process.argv[2] ?? '{}') as {
  source: DatabaseSource
  folder: string
  fileLines: number
  /** Before or after which call to the database or to a file it kills itself; absent: never. */
  dieAtStep?: number
}
const db = connect(source)
const reader = openReader(source, db)
const stores = createStores(db, clock)
let steps = 0
/** Counts the moment before and the moment after a call, and dies at the one that was asked for. */
const counted =
  <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
  async (...args: A): Promise<R> => {
    if (++steps === dieAtStep) process.kill(process.pid, 'SIGKILL')
    const result = await call(...args)
    if (++steps === dieAtStep) process.kill(process.pid, 'SIGKILL')
    return result
  }
const inTransaction = counted(inTransactionOn(db, clock))
const owner = 'killed-server'
const { threads } = createArchivedBodies({ stores, inTransaction, clock, folder, owner })
Object.assign(threads, { round: counted(threads.round) })
const { keeper } = createArchive({
  stores,
  longReads: createStores(reader.readers, clock),
  inTransaction,
  clock,
  threads,
  folder,
  owner,
  log: pino({ level: 'error' }, process.stderr),
  duty: new Duty({ name: 'archive', owner, inTransaction, clock }),
  databaseSize: () => databaseSize(db),
  databaseFolder: undefined,
  bounds: { fileLines },
})
process.stdout.write('begins\n')
await stores.archive.updateRound({ asked_at: new Date().toISOString() })
await keeper.look()
const { problem_text } = await stores.archive.getRound()
process.stdout.write(problem_text === null ? 'done\n' : `${problem_text}\n`)
await threads.close()
await reader.close()
await db.destroy()
