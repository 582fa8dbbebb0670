import { sql } from 'kysely'
import { bucketColumns } from '../../db/tables.ts'

type Buckets = Record<(typeof bucketColumns)[number], number>

/** A histogram as the columns of its row, and back. */
export const bucketsToColumns = (buckets: readonly number[]) =>
  Object.fromEntries(bucketColumns.map((column, at) => [column, buckets[at] ?? 0])) as Buckets

export const bucketsOf = (row: Buckets) => bucketColumns.map((column) => row[column])

/** Sums of these columns, under their names. PostgreSQL sums bigint to numeric, which arrives as text. */
export const summed = <Column extends string>(columns: readonly Column[], table?: string) =>
  columns.map((column) =>
    sql<number>`cast(sum(${sql.ref(table === undefined ? column : `${table}.${column}`)}) as bigint)`.as(
      column,
    ),
  )

/** For a row that is there already: adds what was to be inserted. */
export const addedUp = (table: string, columns: readonly string[]) =>
  Object.fromEntries(
    columns.map((column) => [
      column,
      sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
    ]),
  )
