import type { ColumnBuilderCallback, Kysely } from 'kysely'
import { isPostgres } from './dialect.ts'

/**
 * The id of a table: counted up by the database and never given twice, not even after a delete
 * (links and log lines keep pointing at the record they meant).
 */
export function idColumn(db: Kysely<unknown>): ['serial' | 'integer', ColumnBuilderCallback] {
  return isPostgres(db)
    ? ['serial', (column) => column.primaryKey()]
    : ['integer', (column) => column.primaryKey().autoIncrement()]
}
