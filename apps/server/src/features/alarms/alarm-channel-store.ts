import type { Db } from '../../db/connect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

/** Where alarms are told. */
export function alarmChannelStore(db: Db) {
  return {
    list: (query: ListQuery) => {
      const rows = db
        .selectFrom('alarm_channel')
        .selectAll()
        .orderBy(listOrder(query.sort, 'alarm_channel.id', ['name']))
      return readPage(
        query.search ? rows.where(containsWords(query.search, ['alarm_channel.name'])) : rows,
        query,
      )
    },
    listAll: () => db.selectFrom('alarm_channel').selectAll().orderBy('id').execute(),
    find: (id: number) =>
      db.selectFrom('alarm_channel').selectAll().where('id', '=', id).executeTakeFirst(),
    insert: (channel: NewRow<'alarm_channel'>) =>
      db.insertInto('alarm_channel').values(channel).returning('id').executeTakeFirstOrThrow(),
    seal: (id: number, secret_encrypted: string | null) =>
      db.updateTable('alarm_channel').set({ secret_encrypted }).where('id', '=', id).execute(),
    update: (id: number, version: number, change: RowChange<'alarm_channel'>) =>
      updateIfUnchanged(db, 'alarm_channel', id, version, change),
    remove: (id: number) => db.deleteFrom('alarm_channel').where('id', '=', id).execute(),
  }
}
