import { sql } from 'kysely'
import { connect, type DatabaseSource } from '../../apps/server/src/db/connect.ts'

/** Moves all documents into the last days, evenly, in their order. No product may run on the database. */
export async function squeezeDocuments(source: DatabaseSource, days: number): Promise<void> {
  const db = connect(source)
  const now = Date.now()
  const spanSeconds = days * 86_400
  const age = sql`${spanSeconds} * (1.0 - id * 1.0 / (select max(id) from document))`
  try {
    // One connection: it keeps its time limit.
    await db.connection().execute(async (connection) => {
      if (source.kind === 'postgres') await sql`set statement_timeout = 0`.execute(connection)
      await sql`update document set created_at = ${
        source.kind === 'postgres'
          ? sql`to_char(to_timestamp(${now / 1000}::float8 - (${age})::float8) at time zone 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
          : sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now / 1000} - ${age}, 'unixepoch')`
      }`.execute(connection)
      await sql`delete from document_quarter`.execute(connection)
      await sql`delete from document_change`.execute(connection)
      if (source.kind !== 'postgres') return
      await sql`vacuum analyze`.execute(connection)
      await sql`checkpoint`.execute(connection)
    })
  } finally {
    await db.destroy()
  }
}
