import { sql, type Kysely } from 'kysely'
import { createIndexes, required } from '../src/db/columns.ts'

/** Runs that wait until a person releases them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('run_release')
    .addColumn('run_id', 'integer', (column) => column.primaryKey().references('run.id'))
    // agent or token.
    .addColumn('via', 'text', required)
    .addColumn('asked_by', 'text', required)
    .addColumn('order_key', 'text')
    .addColumn('asked_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    // Null: nobody has decided yet.
    .addColumn('decision', 'text')
    .addColumn('decided_at', 'text')
    .addColumn('decided_by_id', 'integer')
    .addColumn('decided_by_name', 'text')
    .addColumn('note', 'text')
    .execute()
  await createIndexes(db, 'run_release', {
    run_release_open: { columns: ['expires_at', 'run_id'], where: 'decision is null' },
  })
  // What a person released; null: nobody had to.
  await db.schema.alterTable('lane_entry').addColumn('released_sha256', 'text').execute()
  await sql`insert into alarm_rule (kind, name, is_on, settings)
    values ('release', 'Release needed', 1, '{"limits":{}}')`.execute(db)
  await grant(db)
}

/** To the seeded roles that no save has changed. A first start gives it to its roles itself. */
async function grant(db: Kysely<unknown>): Promise<void> {
  await sql`insert into permission (name) select 'run.release' where exists (select 1 from role)
    on conflict (name) do nothing`.execute(db)
  await sql`insert into role_permission (role_id, permission_id)
    select role.id, permission.id from role, permission
      where role.name in ('Super Admin', 'Admin', 'Operator') and role.version = 1
        and permission.name = 'run.release'`.execute(db)
}
