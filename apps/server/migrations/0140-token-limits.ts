import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../src/db/dialect.ts'

/** What a personal token is limited to, as JSON; null: nothing but the roles of its user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('personal_token').addColumn('limits', 'text').execute()
  await db.schema
    .alterTable('personal_token')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  // The gateway has to know, as of the other columns that concern it (0098).
  const run = isPostgres(db)
    ? sql`for each row execute function note_personal_token_config()`
    : sql`begin insert into config_change (kind, thing_id) values ('token', new.id); end`
  await sql`create trigger personal_token_config_limits
    after update of limits on personal_token ${run}`.execute(db)
}
