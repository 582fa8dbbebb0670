import type { Db } from '../../db/connect.ts'
import { lockedForChange } from '../../db/dialect.ts'
import type { Row } from '../../db/tables.ts'

/** Wrong codes in a row, by user and place. */
export function codeFailureStore(db: Db) {
  return {
    /** The row, made where there is none, which nobody else changes before the commit. */
    hold: async (user_id: number, place_hash: string, at: string): Promise<Row<'code_failure'>> => {
      await db
        .insertInto('code_failure')
        .values({ user_id, place_hash, failures: 0, last_at: at })
        .onConflict((conflict) => conflict.columns(['user_id', 'place_hash']).doNothing())
        .execute()
      const rows = db
        .selectFrom('code_failure')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('place_hash', '=', place_hash)
      return lockedForChange(db, rows).executeTakeFirstOrThrow()
    },
    put: async ({ user_id, place_hash, ...change }: Row<'code_failure'>) => {
      await db
        .updateTable('code_failure')
        .set(change)
        .where('user_id', '=', user_id)
        .where('place_hash', '=', place_hash)
        .execute()
    },
    /** Of this user, but for one place. */
    removeOlderThan: async (userId: number, moment: string, keptPlace: string) => {
      await db
        .deleteFrom('code_failure')
        .where('user_id', '=', userId)
        .where('place_hash', '!=', keptPlace)
        .where('last_at', '<', moment)
        .execute()
    },
  }
}
