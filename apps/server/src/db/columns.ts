import { sql, type ColumnBuilderCallback, type Kysely } from 'kysely'
import { isPostgres } from './dialect.ts'

// The words in which migrations say what a column is, and where the databases differ.

/**
 * The id of a table: counted up by the database and never given twice, not even after a delete
 * (links and log lines keep pointing at the record they meant).
 */
export function idColumn(db: Kysely<unknown>): ['serial' | 'integer', ColumnBuilderCallback] {
  return isPostgres(db)
    ? ['serial', (column) => column.primaryKey()]
    : ['integer', (column) => column.primaryKey().autoIncrement()]
}

export const key: ColumnBuilderCallback = (column) => column.primaryKey()
export const required: ColumnBuilderCallback = (column) => column.notNull()
export const unique: ColumnBuilderCallback = (column) => column.notNull().unique()

/** What an insert that leaves the column out stores. */
export const byDefault =
  (value: string | number): ColumnBuilderCallback =>
  (column) =>
    column.notNull().defaultTo(value)

/** Names a row of another table, which can't be deleted while it is named. */
export const naming =
  (other: string): ColumnBuilderCallback =>
  (column) =>
    column.notNull().references(other)

/** Belongs to a row of another table, and is deleted with it. */
export const ownedBy =
  (other: string): ColumnBuilderCallback =>
  (column) =>
    column.notNull().references(other).onDelete('cascade')

/** At most one for each row of another table, and deleted with it. */
export const oneFor =
  (other: string): ColumnBuilderCallback =>
  (column) =>
    column.primaryKey().references(other).onDelete('cascade')

interface IndexParts {
  columns: readonly string[]
  /** SQL: the rows that it holds. */
  where?: string
  isUnique?: boolean
}

/** Makes indexes of one table, by their names. */
export async function createIndexes(
  db: Kysely<unknown>,
  table: string,
  indexes: Readonly<Record<string, readonly string[] | IndexParts>>,
): Promise<void> {
  for (const [name, parts] of Object.entries(indexes)) {
    const { columns, where, isUnique }: IndexParts = 'columns' in parts ? parts : { columns: parts }
    let index = db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
    if (isUnique) index = index.unique()
    await (where ? index.where(sql.raw<boolean>(where)) : index).execute()
  }
}
