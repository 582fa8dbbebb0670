import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { containsWords, readPage } from '../../db/listing.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

export type FileRow = Row<'archive_file'>

/** A file that was written and checked. */
export type WrittenFile = { [Name in keyof FileRow]: NonNullable<FileRow[Name]> } & {
  previous_id: number | null
  checked_at: string | null
  check_result: FileRow['check_result']
}

/** The settings of the archive, its rounds and its files. */
export function archiveStore(db: Db) {
  const written = () => db.selectFrom('archive_file').selectAll().where('state', '<>', 'writing')
  return {
    getSettings: () =>
      db.selectFrom('archive_setting').selectAll().where('id', '=', 1).executeTakeFirstOrThrow(),
    updateSettings: (change: RowChange<'archive_setting'>) =>
      db.updateTable('archive_setting').set(change).where('id', '=', 1).execute(),
    getRound: () =>
      db.selectFrom('archive_round').selectAll().where('id', '=', 1).executeTakeFirstOrThrow(),
    updateRound: (change: RowChange<'archive_round'>) =>
      db.updateTable('archive_round').set(change).where('id', '=', 1).execute(),

    /** Takes the name of a file before anything of it is written. */
    insertFile: async (file: Pick<NewRow<'archive_file'>, 'server' | 'started_at'>) => {
      const { id } = await db
        .insertInto('archive_file')
        .values({ ...file, name: `new ${file.server} ${file.started_at}`, state: 'writing' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const name = `runs-${String(id).padStart(6, '0')}.ndjson.gz`
      await db.updateTable('archive_file').set({ name }).where('id', '=', id).execute()
      return { id, name }
    },
    updateFile: (id: number, change: RowChange<'archive_file'>) =>
      db.updateTable('archive_file').set(change).where('id', '=', id).execute(),
    removeFile: (id: number) =>
      db.deleteFrom('archive_file').where('id', '=', id).where('state', '=', 'writing').execute(),
    /** Files of a server in a state, oldest first. */
    listFiles: (state: FileRow['state'], server: string) =>
      db
        .selectFrom('archive_file')
        .selectAll()
        .where('state', '=', state)
        .where('server', '=', server)
        .orderBy('id')
        .execute(),
    findFile: async (id: number) =>
      (await written().where('id', '=', id).executeTakeFirst()) as WrittenFile | undefined,
    /** The file before another one; the last of all without it. */
    findFileBefore: async (id?: number) =>
      (await written()
        .$if(id !== undefined, (query) => query.where('id', '<', id ?? 0))
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()) as WrittenFile | undefined,
    pageOfFiles: async ({ page, limit, search, isOldestFirst }: FilePage) => {
      const found = written().$if(search !== '', (query) =>
        query.where(containsWords(search, ['name'])),
      )
      const listed = found.orderBy('id', isOldestFirst ? 'asc' : 'desc')
      const { rows, total } = await readPage(listed, { page, limit })
      return { rows: rows as WrittenFile[], total }
    },
    totals: () => totals(db),

    /** The sizes of one day; the first measure of a day counts. */
    insertSize: (size: NewRow<'archive_size'>) =>
      db
        .insertInto('archive_size')
        .values(size)
        .onConflict((conflict) => conflict.column('day').doNothing())
        .execute(),
    /** The oldest size since a day. */
    findSizeSince: (day: string) =>
      db
        .selectFrom('archive_size')
        .selectAll()
        .where('day', '>=', day)
        .orderBy('day')
        .limit(1)
        .executeTakeFirst(),
  }
}

interface FilePage {
  page: number
  limit: number
  /** A part of the name. */
  search: string
  isOldestFirst: boolean
}

const totals = (db: Db) =>
  db
    .selectFrom('archive_file')
    .select([
      sql<number>`count(*)`.as('files'),
      sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as('bytes'),
      sql<number>`cast(coalesce(sum(lines), 0) as bigint)`.as('lines'),
    ])
    .where('state', '<>', 'writing')
    .executeTakeFirstOrThrow()
