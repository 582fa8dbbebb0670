import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { contains } from '../listing.ts'

/**
 * The values of a column that contain the text; case does not count. For columns of few different
 * values with an index: it finds them by one look at each.
 */
export async function valuesThatHold(
  db: Db,
  table: 'audit_event',
  column: 'actor' | 'action',
  text: string,
): Promise<string[]> {
  const [from, value] = [sql.table(table), sql.ref(column)]
  const next = sql`(select min(${value}) from ${from} where ${value} > different.value)`
  const { rows } = await sql<{ value: string }>`with recursive different(value) as (
    select min(${value}) from ${from}
    union all select ${next} from different where different.value is not null
  ) select value from different where value is not null and ${contains(text, ['value'])}`.execute(
    db,
  )
  return rows.map((row) => row.value)
}
