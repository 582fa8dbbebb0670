import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { key, required } from '../columns.ts'
import { connect, type Db } from '../connect.ts'
import { isPostgres } from '../dialect.ts'
import { schemaShape } from '../schema-shape.ts'
import { grantOfEarlierSeeds } from './permissions-of-earlier-seeds.ts'

// The schema starts over with 0.1.0. A database of the last version before it is adopted: it gets what came after that
// version, is compared with what the migrations of 0.1.0 make, and is noted as made by them.

/** Of the version of 23 November 2026, and what later, unpublished versions noted. */
const lastBefore = '0151-unknown-passwords'
const later = {
  hold: '0152-installation-hold',
  seeds: '0155-permissions-of-earlier-seeds',
  stops: '0160-server-stops-rule',
}
const commitBefore = 'd02dc5fddd8f0123011a7d311ef2621a3bfc8072'

/** As the step is called in the log. */
export const adoptionName = 'adoption-by-0.1.0'
/** The migrations of 0.1.0 are those up to it. */
export const lastOfBaseline = '0235-server'

/** True for what a version before 0.1.0 noted. */
export const isFromBefore = (made: readonly string[]) => made.some((name) => name < '0200')

/** Throws where the database is of a version before the last one before 0.1.0. */
export function refuseOlder(made: readonly string[]): void {
  if (made.includes(lastBefore)) return
  throw new Error(
    `it is older than the version of 2026-11-23. Start that version once (commit ${commitBefore}), which brings it up ` +
      'to date, and then this one',
  )
}

/** Within a transaction of its own. Throws where the schema then is not that of 0.1.0, and says what differs. */
export async function adopt(
  db: Db,
  made: readonly string[],
  baseline: readonly Migration[],
): Promise<void> {
  refuseOlder(made)
  if (!made.includes(later.hold)) await createHold(db)
  if (!made.includes(later.seeds)) await grantOfEarlierSeeds(db as Kysely<unknown>)
  if (!made.includes(later.stops))
    await addRule(db, 'server_stops', 'Server keeps stopping', { times: 3, minutes: 10 })
  // Nothing reads it.
  await sql`alter table run drop column alarmed_at`.execute(db)
  await renameReferences(db, earlierTable, ownTable)
  const [found, expected] = [await schemaShape(db), await baselineShape(db, baseline)]
  const differences = [
    ...expected.filter((line) => !found.includes(line)).map((line) => `without ${line}`),
    ...found.filter((line) => !expected.includes(line)).map((line) => `with ${line}`),
  ]
  if (differences.length > 0)
    throw new Error(
      `its schema is not that of 0.1.0: ${differences.slice(0, shownMax).join('; ')}` +
        (differences.length > shownMax ? `; and ${differences.length - shownMax} more` : ''),
    )
}

const shownMax = 5

/**
 * Turns an empty database of this version into one that noted these migrations of before 0.1.0, so that rows of one
 * can be put into it; the next start adopts it.
 */
export async function makeAsBefore(db: Db, made: readonly string[]): Promise<void> {
  refuseOlder(made)
  await sql`alter table run add column alarmed_at text`.execute(db)
  await renameReferences(db, ownTable, earlierTable)
  if (!made.includes(later.hold)) await db.schema.dropTable('installation_hold').execute()
}

async function createHold(db: Db): Promise<void> {
  await db.schema
    .createTable('installation_hold')
    .addColumn('id', 'integer', key)
    .addColumn('reason', 'text', required)
    .addColumn('backup_made_at', 'text', required)
    .addColumn('held_since', 'text', required)
    .addColumn('released_at', 'text')
    .execute()
  await addRule(db, 'held', 'Held after a restore', {})
}

const addRule = (db: Db, kind: string, name: string, limits: object) =>
  sql`insert into alarm_rule (kind, name, is_on, settings)
    values (${kind}, ${name}, 1, ${JSON.stringify({ limits })})`.execute(db)

/** PostgreSQL keeps the names of references when their table gets another name. */
const [earlierTable, ownTable] = ['document_step_of_several', 'document_step']

async function renameReferences(db: Db, from: string, to: string): Promise<void> {
  if (!isPostgres(db)) return
  for (const column of ['document_id', 'run_id'])
    await sql`alter table document_step
      rename constraint ${sql.ref(`${from}_${column}_fkey`)} to ${sql.ref(`${to}_${column}_fkey`)}`.execute(
      db,
    )
}

/** What the migrations of 0.1.0 make of an empty database. */
async function baselineShape(db: Db, baseline: readonly Migration[]): Promise<string[]> {
  const make = async (empty: Db) => {
    for (const migration of baseline) await migration.up(empty)
    return schemaShape(empty)
  }
  if (!isPostgres(db)) {
    const empty = connect({ kind: 'memory' })
    try {
      return await make(empty)
    } finally {
      await empty.destroy()
    }
  }
  // Beside the tables, in the same transaction: nobody else sees it.
  const { rows } = await sql<{
    path: string
  }>`select current_setting('search_path') as path`.execute(db)
  await sql`create schema ${sql.ref(scratch)}`.execute(db)
  await sql`select set_config('search_path', ${scratch}, true)`.execute(db)
  const shape = await make(db)
  await sql`select set_config('search_path', ${rows[0]!.path}, true)`.execute(db)
  await sql`drop schema ${sql.ref(scratch)} cascade`.execute(db)
  return shape
}

const scratch = 'gatehouse_baseline'
