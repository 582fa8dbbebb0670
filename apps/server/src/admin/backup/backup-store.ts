import type { Db } from '../../db/connect.ts'
import type { NewRow } from '../../db/tables.ts'

/** The backups that were made of this database, of which the last thousand are kept. */
export function backupStore(db: Db) {
  return {
    note: async (made: NewRow<'backup'>): Promise<void> => {
      const { id } = await db
        .insertInto('backup')
        .values(made)
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .deleteFrom('backup')
        .where('id', '<=', id - keptMax)
        .execute()
    },
    newest: () =>
      db.selectFrom('backup').selectAll().orderBy('made_at', 'desc').limit(1).executeTakeFirst(),
  }
}

const keptMax = 1_000
