import type { Db } from '../../../db/connect.ts'
import type { NewRow, Row } from '../../../db/tables.ts'

export type ApiDraftRow = Row<'api_draft'>

export function apiDraftStore(db: Db) {
  return {
    find: (apiId: number) =>
      db.selectFrom('api_draft').selectAll().where('api_id', '=', apiId).executeTakeFirst(),
    listAll: () => db.selectFrom('api_draft').selectAll().execute(),
    findAll: async (apiIds: readonly number[]): Promise<ApiDraftRow[]> =>
      apiIds.length === 0
        ? []
        : db.selectFrom('api_draft').selectAll().where('api_id', 'in', apiIds).execute(),
    /** False where another draft of the API was saved at the same time. */
    insert: async (draft: NewRow<'api_draft'>): Promise<boolean> => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('api_draft')
        .values(draft)
        .onConflict((conflict) => conflict.column('api_id').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    /** False where the draft has another version by now. */
    replace: async (draft: NewRow<'api_draft'>, version: number): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('api_draft')
        .set(draft)
        .where('api_id', '=', draft.api_id)
        .where('version', '=', version)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
    /** The draft that was removed; undefined where there was none. */
    remove: (apiId: number) =>
      db.deleteFrom('api_draft').where('api_id', '=', apiId).returningAll().executeTakeFirst(),
  }
}
