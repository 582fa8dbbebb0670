import { sql, type Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, key, required } from '../src/db/columns.ts'
import { isPostgres } from '../src/db/dialect.ts'

/**
 * The revision of what the gateway runs on, and which parts of it each revision has changed, so that what is
 * published again does not grow with everything. Triggers note them, of changes by hand too; `revisions.bump` gives
 * the notes their revision.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // One row, which every change counts up within its own transaction.
  await db.schema
    .createTable('config_revision')
    .addColumn('id', 'integer', key)
    .addColumn('revision', 'integer', required)
    // A number can come twice: after a failover, or once an older copy of the database was restored.
    .addColumn('mark', 'text', byDefault(''))
    .execute()
  await sql`insert into config_revision (id, revision) values (1, 1)`.execute(db)
  await db.schema
    .createTable('config_change')
    .addColumn('id', ...idColumn(db))
    // Null until the transaction, or a later one, bumps the revision.
    .addColumn('revision', 'integer')
    // What a revision is known by has the kind `revision`.
    .addColumn('kind', 'text', required)
    .addColumn('thing_id', 'integer', required)
    .addColumn('mark', 'text')
    .execute()
  await createIndexes(db, 'config_change', {
    config_change_revision: ['revision', 'kind', 'thing_id'],
  })
  for (const part of parts)
    await (isPostgres(db) ? noteOnPostgres(db, part) : noteOnSqlite(db, part))
  for (const part of rowParts) await noteRow(db, part)
  await noteTokens(db)
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

interface RowPart {
  name: string
  /** As `update of limits on personal_token`. */
  event: string
  kind: string
  thing: string
}

/** Of the row as it is after the change: what it names never changes. */
const rowParts: readonly RowPart[] = [
  // That keys were looked at changes nothing for the gateway.
  ...rowPartsOf('token_issuer', 'issuer', 'id', [
    'name',
    'is_active',
    'issuer',
    'audience',
    'algorithms',
    'skew_seconds',
    'role_claim',
    'keys',
  ]),
  ...rowPartsOf('token_issuer_role', 'issuer', 'issuer_id'),
  ...rowPartsOf('api_draft', 'api', 'api_id'),
]

function rowPartsOf(table: string, kind: string, column: string, updated: string[] = []) {
  const of = updated.length > 0 ? ` of ${updated.join(', ')}` : ''
  return ['insert', 'update', 'delete'].map((event) => ({
    name: `${table}_config_${event}`,
    event: `${event}${event === 'update' ? of : ''} on ${table}`,
    kind,
    thing: `${event === 'delete' ? 'old' : 'new'}.${column}`,
  }))
}

async function noteRow(db: Kysely<unknown>, { name, event, kind, thing }: RowPart): Promise<void> {
  const note = `insert into config_change (kind, thing_id) values ('${kind}', ${thing});`
  if (!isPostgres(db)) {
    await sql.raw(`create trigger ${name} after ${event} begin ${note} end`).execute(db)
    return
  }
  await sql
    .raw(
      `create function note_${name}() returns trigger language plpgsql as $$ begin ${note} return null; end $$`,
    )
    .execute(db)
  await sql
    .raw(`create trigger ${name} after ${event} for each row execute function note_${name}()`)
    .execute(db)
}

/** Limits and secrets of tokens, of which the gateway has to know too. */
async function noteTokens(db: Kysely<unknown>): Promise<void> {
  const run = isPostgres(db)
    ? 'for each row execute function note_personal_token_config()'
    : "begin insert into config_change (kind, thing_id) values ('token', new.id); end"
  for (const [name, column] of [
    ['limits', 'limits'],
    ['signing', 'signing_secret'],
  ])
    await sql
      .raw(
        `create trigger personal_token_config_${name} after update of ${column} on personal_token ${run}`,
      )
      .execute(db)
}
