import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { lockedForChange } from '../../db/dialect.ts'
import type { Row } from '../../db/tables.ts'

/** Failed sign-ins, by the hash of what they count against. */
export function loginFailureStore(db: Db) {
  return {
    list: (hashes: readonly string[]) =>
      db.selectFrom('login_failure').selectAll().where('key_hash', 'in', hashes).execute(),
    /** The rows of these hashes, made where there are none, which nobody else changes before the commit. */
    hold: async (hashes: readonly string[], at: string): Promise<Row<'login_failure'>[]> => {
      // In one order everywhere: sign-ins at once must not wait for each other in a circle.
      const rows = hashes
        .toSorted()
        .map((key_hash) => ({ key_hash, failures: 0, first_at: at, last_at: at }))
      await db
        .insertInto('login_failure')
        .values(rows)
        .onConflict((conflict) => conflict.column('key_hash').doNothing())
        .execute()
      return lockedForChange(
        db,
        db
          .selectFrom('login_failure')
          .selectAll()
          .where('key_hash', 'in', hashes)
          .orderBy('key_hash'),
      ).execute()
    },
    put: async ({ key_hash, ...failures }: Row<'login_failure'>) => {
      await db.updateTable('login_failure').set(failures).where('key_hash', '=', key_hash).execute()
    },
    takeBack: async (hash: string) => {
      await db
        .updateTable('login_failure')
        .set({ failures: sql`failures - 1` })
        .where('key_hash', '=', hash)
        .where('failures', '>', 0)
        .execute()
    },
    remove: async (hashes: readonly string[]) => {
      await db.deleteFrom('login_failure').where('key_hash', 'in', hashes).execute()
    },
    removeUnusedSince: async (moment: string) => {
      await db.deleteFrom('login_failure').where('last_at', '<', moment).execute()
    },
  }
}
