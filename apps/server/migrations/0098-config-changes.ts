import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'
import { isPostgres } from '../src/db/dialect.ts'

/**
 * Which parts of the gateway's configuration each revision has changed, so that what is published again does not
 * grow with everything. Triggers note them, of changes by hand too; `revisions.bump` gives the notes their revision.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('config_change')
    .addColumn('id', ...idColumn(db))
    // Null until the transaction, or a later one, bumps the revision.
    .addColumn('revision', 'integer')
    // What a revision is known by has the kind `revision`.
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('thing_id', 'integer', (column) => column.notNull())
    .addColumn('mark', 'text')
    .execute()
  await db.schema
    .createIndex('config_change_revision')
    .on('config_change')
    .columns(['revision', 'kind', 'thing_id'])
    .execute()
  for (const part of parts)
    await (isPostgres(db) ? noteOnPostgres(db, part) : noteOnSqlite(db, part))
}

interface Part {
  table: string
  kind: string
  /** The column that names what changes. */
  column: string
  /** Updates of other columns change nothing for the gateway. */
  updated: readonly string[]
}

const parts: readonly Part[] = [
  { table: 'api', kind: 'api', column: 'id', updated: [] },
  { table: 'endpoint', kind: 'endpoint', column: 'id', updated: [] },
  {
    table: 'personal_token',
    kind: 'token',
    column: 'id',
    updated: ['token_hash', 'user_id', 'expires_at', 'revoked_at'],
  },
  { table: 'user_role', kind: 'user', column: 'user_id', updated: [] },
  { table: 'role_endpoint', kind: 'role', column: 'role_id', updated: [] },
]

const events = [
  { event: 'insert', rows: ['new'] },
  { event: 'update', rows: ['old', 'new'] },
  { event: 'delete', rows: ['old'] },
] as const

const when = (event: string, { updated }: Part) =>
  sql.raw(event === 'update' && updated.length > 0 ? `update of ${updated.join(', ')}` : event)

/** There is one writer: a note without a revision is enough for all changes until the next bump. */
async function noteOnSqlite(db: Kysely<unknown>, part: Part): Promise<void> {
  for (const { event, rows } of events) {
    const notes = rows.map((row) => {
      const thing = sql.raw(`${row}.${part.column}`)
      return sql`insert into config_change (kind, thing_id) select ${sql.lit(part.kind)}, ${thing}
        where not exists (select 1 from config_change
          where revision is null and kind = ${sql.lit(part.kind)} and thing_id = ${thing});`
    })
    await sql`create trigger ${sql.ref(`${part.table}_config_${event}`)}
      after ${when(event, part)} on ${sql.table(part.table)}
      begin ${sql.join(notes, sql` `)} end`.execute(db)
  }
}

/** Each transaction writes its own notes: another one may be about to give a revision to those that are there. */
async function noteOnPostgres(db: Kysely<unknown>, part: Part): Promise<void> {
  const name = sql.ref(`note_${part.table}_config`)
  const note = (row: string) =>
    sql`insert into config_change (kind, thing_id)
      values (${sql.lit(part.kind)}, ${sql.raw(`${row}.${part.column}`)});`
  await sql`create function ${name}() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then ${note('old')} end if;
      if tg_op = 'INSERT' then ${note('new')}
      elsif tg_op = 'UPDATE' then
        if new.${sql.raw(part.column)} <> old.${sql.raw(part.column)} then ${note('new')} end if;
      end if;
      return null;
    end $$`.execute(db)
  for (const { event } of events)
    await sql`create trigger ${sql.ref(`${part.table}_config_${event}`)}
      after ${when(event, part)} on ${sql.table(part.table)}
      for each row execute function ${name}()`.execute(db)
}
