import type { Db } from '../../db/connect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

export type SavedMappingRow = Row<'saved_mapping'>

export const savedMappingStore = (db: Db) => ({
  /** Without the rows. */
  list: (query: ListQuery) =>
    readPage(
      db
        .selectFrom('saved_mapping')
        .select(['id', 'name', 'rows_count', 'user_name', 'updated_at', 'version'])
        .$if(query.search !== '', (rows) =>
          rows.where(containsWords(query.search, ['saved_mapping.name'])),
        )
        .orderBy(listOrder(query.sort, 'saved_mapping.id', ['name', 'updated_at'])),
      query,
    ),
  find: (id: number) =>
    db.selectFrom('saved_mapping').selectAll().where('id', '=', id).executeTakeFirst(),
  insert: (row: NewRow<'saved_mapping'>) =>
    db.insertInto('saved_mapping').values(row).returningAll().executeTakeFirstOrThrow(),
  update: (id: number, version: number, change: RowChange<'saved_mapping'>) =>
    updateIfUnchanged(db, 'saved_mapping', id, version, change),
  remove: (id: number) => db.deleteFrom('saved_mapping').where('id', '=', id).execute(),
})
