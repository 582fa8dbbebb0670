import { CompiledQuery, type DatabaseConnection, type QueryExecutor } from 'kysely'

interface Unit {
  /** Its result, kept until the commit. */
  work: (connection: DatabaseConnection) => Promise<unknown>
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

type Done = { unit: Unit; result: unknown } | { unit: Unit; error: unknown }

/** More would make the first of them wait for too long. */
const unitsMax = 64

/**
 * Commits for SQLite, which writes to the disk once for each. Works that wait at the same time share
 * a transaction: each has a savepoint, so that one that fails takes back its own writes alone. All
 * are answered after the commit, and where the commit fails, all have failed.
 */
export class CommitGroup {
  readonly #executor: QueryExecutor
  readonly #waiting: Unit[] = []
  #isScheduled = false

  constructor(executor: QueryExecutor) {
    this.#executor = executor
  }

  add<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    // By then, all that has arrived in the meantime is waiting.
    setImmediate(() => void this.#round())
  }

  async #round(): Promise<void> {
    let units: Unit[] = []
    try {
      const done = await this.#executor.provideConnection((connection) => {
        units = this.#waiting.splice(0, unitsMax)
        return commitAll(connection, units)
      })
      for (const each of done) {
        if ('error' in each) each.unit.reject(each.error)
        else each.unit.resolve(each.result as never)
      }
    } catch (error) {
      for (const { reject } of units) reject(error)
    }
    this.#isScheduled = false
    if (this.#waiting.length > 0) this.#schedule()
  }
}

async function commitAll(connection: DatabaseConnection, units: readonly Unit[]): Promise<Done[]> {
  const run = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql))
  // The write lock of another process is waited for once, not by each.
  await run('begin immediate')
  try {
    const done: Done[] = []
    for (const unit of units) {
      await run('savepoint unit')
      try {
        done.push({ unit, result: await unit.work(connection) })
      } catch (error) {
        done.push({ unit, error })
        // SQLite has ended the whole transaction where the disk is full: this then fails, and so do all.
        await run('rollback to unit').catch(() => {
          throw error
        })
      }
      await run('release unit')
    }
    await run('commit')
    return done
  } catch (error) {
    await run('rollback')
    throw error
  }
}
