import type { UndoableThing } from '@gatehouse/contract'
import type { Db } from '../../db/connect.ts'
import type { Row } from '../../db/tables.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { insertRows, readRows, type DeletedRows } from './deleted-rows.ts'

interface Deleted {
  thing: UndoableThing
  id: number
  name: string
  /** What an event of the audit trail shows of it. */
  shown: object
}

type DeletionRow = Row<'deletion'>

export const deletionStore = (db: Db, clock: Clock) => ({
  /** Keeps a record that is about to be deleted, and what goes with it. */
  keep: async ({ thing, id, name, shown }: Deleted, { caller }: Actor): Promise<void> => {
    await db
      .insertInto('deletion')
      .values({
        thing,
        thing_id: id,
        name,
        user_id: caller.user.id,
        deleted_at: clock.now().toISOString(),
        shown: JSON.stringify(shown),
        rows: JSON.stringify(await readRows(db, thing, id)),
      })
      .execute()
  },
  /** What a user has deleted since then. */
  find: (of: Pick<DeletionRow, 'thing' | 'thing_id' | 'user_id'>, since: string) =>
    db
      .selectFrom('deletion')
      .selectAll()
      .where('thing', '=', of.thing)
      .where('thing_id', '=', of.thing_id)
      .where('user_id', '=', of.user_id)
      .where('deleted_at', '>=', since)
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  /** False, with nothing written, where it belongs to a record that is gone. */
  putBack: async ({ id, thing, rows }: DeletionRow): Promise<boolean> => {
    if (!(await insertRows(db, thing, JSON.parse(rows) as DeletedRows))) return false
    await db.deleteFrom('deletion').where('id', '=', id).execute()
    return true
  },
  removeBefore: (moment: string) =>
    db.deleteFrom('deletion').where('deleted_at', '<', moment).execute(),
})
