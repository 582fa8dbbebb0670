import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'
import { isPostgres } from '../src/db/dialect.ts'

/** Who signs JWTs that callers of the gateway may show, and which of their claims stand for which role. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('token_issuer')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('issuer', 'text', (column) => column.notNull().unique())
    .addColumn('audience', 'text', (column) => column.notNull())
    // Blank: the keys were typed in.
    .addColumn('jwks_url', 'text', (column) => column.notNull())
    // As it was typed in; blank where there is an address.
    .addColumn('jwks', 'text', (column) => column.notNull())
    // JSON.
    .addColumn('algorithms', 'text', (column) => column.notNull())
    .addColumn('skew_seconds', 'integer', (column) => column.notNull())
    .addColumn('role_claim', 'text', (column) => column.notNull())
    // JSON: the public keys in force.
    .addColumn('keys', 'text', (column) => column.notNull())
    .addColumn('keys_read_at', 'text')
    .addColumn('keys_tried_at', 'text')
    // When they are fetched next; null: never.
    .addColumn('keys_due_at', 'text')
    .addColumn('keys_problem', 'text')
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createTable('token_issuer_role')
    .addColumn('issuer_id', 'integer', (column) =>
      column.notNull().references('token_issuer.id').onDelete('cascade'),
    )
    .addColumn('role_id', 'integer', (column) =>
      column.notNull().references('role.id').onDelete('cascade'),
    )
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('token_issuer_role_key', ['issuer_id', 'role_id', 'value'])
    .execute()
  await db.schema
    .createIndex('token_issuer_role_by_role')
    .on('token_issuer_role')
    .column('role_id')
    .execute()
  // That keys were looked at changes nothing for the gateway.
  const updates =
    'update of name, is_active, issuer, audience, algorithms, skew_seconds, role_claim, keys'
  await noteChanges(db, 'token_issuer', 'id', updates)
  await noteChanges(db, 'token_issuer_role', 'issuer_id', 'update')
}

/** As of the other parts of the gateway's configuration (0098). */
async function noteChanges(
  db: Kysely<unknown>,
  table: string,
  column: string,
  update: string,
): Promise<void> {
  const events = [
    ['insert', 'new'],
    [update, 'new'],
    ['delete', 'old'],
  ] as const
  for (const [event, row] of events) {
    const name = `${table}_config_${event.slice(0, 6)}`
    const note = sql`insert into config_change (kind, thing_id)
      values ('issuer', ${sql.raw(`${row}.${column}`)});`
    if (isPostgres(db)) {
      await sql`create function ${sql.ref(`note_${name}`)}() returns trigger language plpgsql as $$
        begin ${note} return null; end $$`.execute(db)
      await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on ${sql.table(table)}
        for each row execute function ${sql.ref(`note_${name}`)}()`.execute(db)
    } else
      await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on ${sql.table(table)}
        begin ${note} end`.execute(db)
  }
}
