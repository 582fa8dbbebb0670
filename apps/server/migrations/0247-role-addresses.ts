import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../src/db/dialect.ts'

const note = `insert into config_change (kind, thing_id) values ('role', new.id);`
const event = 'after update of allowed_addresses on role'

/** From which addresses a role counts at the gateway, which receives each change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // JSON; null: from everywhere.
  await db.schema.alterTable('role').addColumn('allowed_addresses', 'text').execute()
  if (!isPostgres(db)) {
    await sql.raw(`create trigger role_config_addresses ${event} begin ${note} end`).execute(db)
    return
  }
  await sql
    .raw(
      `create function note_role_addresses() returns trigger language plpgsql as $$ begin ${note} return null; end $$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger role_config_addresses ${event} for each row execute function note_role_addresses()`,
    )
    .execute(db)
}
