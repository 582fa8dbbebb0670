import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'

/** Clocks of servers may differ, and a commit takes its time. */
const marginMs = 60_000

/**
 * How many requests of the calendar month, in UTC, each token with a quota has used. The counts are kept here: after
 * the first look of a month, a look sums only the tokens that were used since the one before.
 */
export class UsesOfMonth {
  readonly #db: Db
  #usedBy = new Map<number, number>()
  #month = ''
  #readAtMs = 0

  constructor(db: Db) {
    this.#db = db
  }

  async read(now: Date): Promise<ReadonlyMap<number, number>> {
    const nowMs = now.getTime()
    const today = now.toISOString().slice(0, 10)
    const month = today.slice(0, 7)
    // A clock that was set back makes the time of the last look worthless.
    const isKept = month === this.#month && nowMs >= this.#readAtMs
    const since = isKept ? new Date(this.#readAtMs - marginMs).toISOString() : ''
    const rows = await this.#sums(since, `${month}-01`, today)
    const usedBy = isKept ? this.#usedBy : new Map<number, number>()
    for (const { token_id, used } of rows) usedBy.set(token_id, used)
    this.#usedBy = usedBy
    this.#month = month
    this.#readAtMs = nowMs
    return usedBy
  }

  /** Of the tokens that were used since then, whole: a row does not say what was added to it. */
  #sums(since: string, first: string, last: string) {
    const changed = this.#db
      .selectFrom('token_usage')
      .select('token_id')
      .where('updated_at', '>=', since)
    return (
      this.#db
        .selectFrom('token_usage')
        .select('token_id')
        // PostgreSQL sums bigint to numeric, which arrives as text.
        .select(sql<number>`cast(sum(requests) as bigint)`.as('used'))
        .where('day', '>=', first)
        .where('day', '<=', last)
        .$if(since !== '', (query) => query.where('token_id', 'in', changed))
        .groupBy('token_id')
        .execute()
    )
  }
}
