import { sql } from 'kysely'
import { connect, type DatabaseSource } from '../../apps/server/src/db/connect.ts'

/** Moves all documents into the last days, evenly, in their order. No product may run on the database. */
export async function squeezeDocuments(source: DatabaseSource, days: number): Promise<void> {
  const db = connect(source)
  const now = Date.now()
  const spanSeconds = days * 86_400
  const age = sql`${spanSeconds} * (1.0 - id * 1.0 / (select max(id) from document))`
  try {
    if (source.kind === 'postgres') {
      await sql`update document set created_at = to_char(
        to_timestamp(${now / 1000}::float8 - (${age})::float8) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.execute(
        db,
      )
      await sql`vacuum analyze`.execute(db)
      await sql`checkpoint`.execute(db)
    } else {
      await sql`update document set created_at =
        strftime('%Y-%m-%dT%H:%M:%fZ', ${now / 1000} - ${age}, 'unixepoch')`.execute(db)
    }
    await sql`delete from document_quarter`.execute(db)
  } finally {
    await db.destroy()
  }
}
