import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** The time in milliseconds by PostgreSQL's clock, at a moment between the call and its answer. */
export async function askDatabaseTime(db: Db): Promise<number> {
  const { rows } = await sql<{
    ms: number
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  return rows[0]!.ms
}
