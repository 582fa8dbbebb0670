import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Db } from '../../db/connect.ts'
import { nameOfDatabase } from '../admin-database.ts'
import { CommandError } from '../command.ts'

/** PostgreSQL cuts longer names off. */
export const nameMaxLength = 63
/** Where nobody can be while another database is renamed. */
export const elsewhere = 'postgres'
const connectedMaxMs = 2_000

/**
 * Fills a new database and gives it the name of the one in use, which is kept under another: both names change in one
 * transaction, once all is there. Returns the name that the old one has now. Throws a CommandError where a server is
 * connected, or the account may not do this; nothing has changed then.
 */
export async function replacePostgres(
  databaseUrl: string,
  fill: (db: Db) => Promise<void>,
): Promise<string> {
  const name = await nameIn(databaseUrl)
  const moment = new Date().toISOString().replaceAll(/\D/g, '')
  const nameWith = (ending: string) => `${name.slice(0, nameMaxLength - ending.length)}${ending}`
  const [fresh, aside] = [nameWith(`_new_${moment}`), nameWith(`_${moment}`)]
  const keeper = connectTo(databaseUrl, elsewhere)
  try {
    await refuseConnected(keeper, name)
    await explained(() => createLike(keeper, name, fresh))
    try {
      await fillNew(connectTo(databaseUrl, fresh), fill)
      await explained(() => exchange(keeper, { name, fresh, aside }))
    } catch (error) {
      await sql`drop database ${sql.ref(fresh)}`.execute(keeper)
      throw error
    }
    return nameOfDatabase({ databaseUrl: addressOf(databaseUrl, aside), dataDir: '' })
  } finally {
    await keeper.destroy()
  }
}

/** The address with another database. */
export const addressOf = (databaseUrl: string, name: string) =>
  databaseUrl.replace(
    /^(\w+:\/\/[^/?#]*)(?:\/[^?#]*)?/,
    (_, place) => `${place}/${encodeURIComponent(name)}`,
  )

/** To another database of the same server. */
export const connectTo = (databaseUrl: string, name: string) =>
  connect({ kind: 'postgres', url: addressOf(databaseUrl, name), connections: 2 })

/** Of the database at this address. */
export async function nameIn(databaseUrl: string): Promise<string> {
  const db = connect({ kind: 'postgres', url: databaseUrl, connections: 1 })
  try {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
    return rows[0]!.name
  } finally {
    await db.destroy()
  }
}

/** A connection that was closed is there for a moment. */
async function refuseConnected(keeper: Db, name: string): Promise<void> {
  for (const endsAt = performance.now() + connectedMaxMs; ; await sleep(50)) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = ${name}`.execute(
      keeper,
    )
    if (rows.length === 0) return
    if (performance.now() > endsAt) throw inUse(name)
  }
}

const inUse = (name: string, cause?: unknown) =>
  new CommandError(`Something is connected to the database ${name}: stop the servers first.`, {
    cause,
  })

/** Makes a database with the same order and case of letters. */
export async function createLike(keeper: Db, name: string, fresh: string): Promise<void> {
  const { rows } = await sql<{
    encoding: string
    datcollate: string
    datctype: string
  }>`select pg_encoding_to_char(encoding) as encoding, datcollate, datctype from pg_database where datname = ${name}`.execute(
    keeper,
  )
  const { encoding, datcollate, datctype } = rows[0]!
  await sql`create database ${sql.ref(fresh)} template template0 encoding ${sql.lit(encoding)}
    lc_collate ${sql.lit(datcollate)} lc_ctype ${sql.lit(datctype)}`.execute(keeper)
}

async function fillNew(db: Db, fill: (db: Db) => Promise<void>): Promise<void> {
  try {
    await fill(db)
  } finally {
    await db.destroy()
  }
}

const exchange = (
  keeper: Db,
  { name, fresh, aside }: { name: string; fresh: string; aside: string },
): Promise<void> =>
  keeper.transaction().execute(async (transaction) => {
    await sql`alter database ${sql.ref(name)} rename to ${sql.ref(aside)}`.execute(transaction)
    await sql`alter database ${sql.ref(fresh)} rename to ${sql.ref(name)}`.execute(transaction)
  })

/** Codes of PostgreSQL, and what the operator can do. */
async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '55006') throw inUse('that is there', error)
    if (code === '42501')
      throw new CommandError(
        'The account of DATABASE_URL may not replace the database: it has to own it, and needs createdb. Or create ' +
          'a new database and set DATABASE_URL to it.',
        { cause: error },
      )
    throw error
  }
}
