import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { openSqlite } from './sqlite-database.ts'
import type { Database } from './tables.ts'

/** Where SQLite keeps the database. */
export const databaseFile = (folder: string): string => join(folder, 'gatehouse.sqlite')

/** Opens the database of a folder, or makes an empty one there. The caller ends it with `db.destroy()`. */
export const connectToFile = (folder: string): Kysely<Database> =>
  new Kysely<Database>({
    dialect: new SqliteDialect({ database: openSqlite(databaseFile(folder)) }),
  })
