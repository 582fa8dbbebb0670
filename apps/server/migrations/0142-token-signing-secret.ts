import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../src/db/dialect.ts'

/** With which the holder of a personal token signs requests, sealed; null: it signs none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['signing_secret', 'signing_since'])
    await db.schema.alterTable('personal_token').addColumn(column, 'text').execute()
  // The gateway has to know, as of the other columns that concern it (0098).
  const run = isPostgres(db)
    ? sql`for each row execute function note_personal_token_config()`
    : sql`begin insert into config_change (kind, thing_id) values ('token', new.id); end`
  await sql`create trigger personal_token_config_signing
    after update of signing_secret on personal_token ${run}`.execute(db)
}
