import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../src/db/dialect.ts'

/** Settings of APIs that only chosen personal tokens reach, one draft for each API at most. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_draft')
    .addColumn('api_id', 'integer', (column) =>
      column.primaryKey().references('api.id').onDelete('cascade'),
    )
    // JSON: the columns of the API that the draft changes, without those of its sign-in.
    .addColumn('columns', 'text', (column) => column.notNull())
    .addColumn('credential', 'text')
    // Sealed as the column of the same name of the API is.
    .addColumn('upstream_token_encrypted', 'text')
    .addColumn('test_credential', 'text')
    .addColumn('test_credential_encrypted', 'text')
    .addColumn('tls', 'text')
    .addColumn('tls_encrypted', 'text')
    // JSON: ids of personal tokens.
    .addColumn('token_ids', 'text', (column) => column.notNull())
    .addColumn('base_version', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('saved_at', 'text', (column) => column.notNull())
    .addColumn('saved_by', 'text', (column) => column.notNull())
    .execute()
  // The gateway has to know, as of a change of the API (0098).
  const note = (row: string) =>
    sql.raw(`insert into config_change (kind, thing_id) values ('api', ${row}.api_id);`)
  for (const [event, row] of events) {
    const name = `api_draft_config_${event}`
    if (isPostgres(db)) {
      const noting = sql.ref(`note_${name}`)
      await sql`create function ${noting}() returns trigger language plpgsql as $$
        begin ${note(row)} return null; end $$`.execute(db)
      await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on api_draft
        for each row execute function ${noting}()`.execute(db)
    } else {
      await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on api_draft
        begin ${note(row)} end`.execute(db)
    }
  }
}

const events = [
  ['insert', 'new'],
  ['update', 'new'],
  ['delete', 'old'],
] as const
