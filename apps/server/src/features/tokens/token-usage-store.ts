import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Row } from '../../db/tables.ts'

/** What was counted of a token in a day. */
type DayUse = Omit<Row<'token_usage'>, 'updated_at'>

/** How often tokens with a quota were used. Days are in UTC, like 2026-11-23. */
export function tokenUsageStore(db: Db) {
  return {
    /** Adds to what is there. Rows in order of their tokens, so that servers that write at once do not deadlock. */
    add: async (uses: readonly DayUse[], at: string) => {
      if (uses.length === 0) return
      await db
        .insertInto('token_usage')
        .values(uses.map((use) => ({ ...use, updated_at: at })))
        .onConflict((conflict) =>
          conflict.columns(['token_id', 'day']).doUpdateSet({
            requests: sql<number>`token_usage.requests + excluded.requests`,
            updated_at: at,
          }),
        )
        .execute()
    },
    /** Of these tokens: what they used on this day, and in its month up to it. */
    totals: async (tokenIds: readonly number[], day: string) => {
      const rows = await db
        .selectFrom('token_usage')
        .select('token_id')
        .select([
          // PostgreSQL sums bigint to numeric, which arrives as text.
          sql<number>`cast(sum(case when day = ${day} then requests else 0 end) as bigint)`.as(
            'today',
          ),
          sql<number>`cast(sum(requests) as bigint)`.as('this_month'),
        ])
        .where('token_id', 'in', [...tokenIds, 0])
        .where('day', '>=', `${day.slice(0, 7)}-01`)
        .where('day', '<=', day)
        .groupBy('token_id')
        .orderBy('token_id')
        .execute()
      return rows.map((row) => ({ ...row, day }))
    },
    /** The tokens that exist of these: one may have been deleted with its user. */
    listKnown: async (tokenIds: readonly number[]): Promise<number[]> => {
      const rows = await db
        .selectFrom('personal_token')
        .select('id')
        .where('id', 'in', [...tokenIds, 0])
        .execute()
      return rows.map(({ id }) => id)
    },
    /** The tokens of which something was counted since then. */
    listChanged: async (since: string): Promise<number[]> => {
      const rows = await db
        .selectFrom('token_usage')
        .select('token_id')
        .distinct()
        .where('updated_at', '>=', since)
        .execute()
      return rows.map(({ token_id }) => token_id)
    },
    /** The tokens that were used since this day. */
    listUsed: async (since: string): Promise<number[]> => {
      const rows = await db
        .selectFrom('token_usage')
        .select('token_id')
        .distinct()
        .where('day', '>=', since)
        .execute()
      return rows.map(({ token_id }) => token_id)
    },
    removeBefore: async (day: string) => {
      await db.deleteFrom('token_usage').where('day', '<', day).execute()
    },
  }
}
