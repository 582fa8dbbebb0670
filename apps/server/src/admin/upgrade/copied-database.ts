import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connect, databaseFile, type Db } from '../../db/connect.ts'
import { copyDatabase } from '../../upgrade/upgrade-backup.ts'
import {
  addressOf,
  connectTo,
  createLike,
  elsewhere,
  nameIn,
  nameMaxLength,
} from '../backup/replace-postgres.ts'
import { CommandError } from '../command.ts'
import { readWhole, writeWhole } from '../copy/copy-rows.ts'

interface Place {
  dataDir: string
  databaseUrl: string | undefined
}

/**
 * Does the work on a copy of the database, which is removed afterwards: of SQLite in a folder of its own in `dataDir`,
 * of PostgreSQL in a new database of the same server. Throws a CommandError where the account may not make one.
 */
export async function onCopy<T>(db: Db, place: Place, work: (copy: Db) => Promise<T>): Promise<T> {
  return place.databaseUrl === undefined
    ? onCopiedFile(place.dataDir, work)
    : onCopiedPostgres(db, place.databaseUrl, work)
}

async function onCopiedFile<T>(dataDir: string, work: (copy: Db) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(dataDir, 'upgrade-check-'))
  try {
    await copyDatabase(dataDir, databaseFile(folder))
    return await closing(connect({ kind: 'file', folder }), work)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onCopiedPostgres<T>(
  db: Db,
  databaseUrl: string,
  work: (copy: Db) => Promise<T>,
): Promise<T> {
  const name = await nameIn(databaseUrl)
  const ending = `_upgrade_check_${new Date().toISOString().replaceAll(/\D/g, '')}`
  const fresh = `${name.slice(0, nameMaxLength - ending.length)}${ending}`
  return closing(connectTo(databaseUrl, elsewhere), async (keeper) => {
    await createLike(keeper, name, fresh).catch((error: unknown) => {
      throw (error as { code?: string }).code === '42501' ? mayNotCreate(error) : error
    })
    try {
      return await closing(
        connect({ kind: 'postgres', url: addressOf(databaseUrl, fresh) }),
        (copy) =>
          readWhole(db, (source) =>
            writeWhole(copy, source, { atEnd: async () => undefined }),
          ).then(() => work(copy)),
      )
    } finally {
      await sql`drop database ${sql.ref(fresh)}`.execute(keeper)
    }
  })
}

const mayNotCreate = (cause: unknown) =>
  new CommandError(
    'The account of DATABASE_URL may not make a database for the copy. Make one yourself (createdb gatehouse_copy, then ' +
      'pg_dump … | psql gatehouse_copy) and run this command with --copy postgres://…/gatehouse_copy: that one is upgraded.',
    { cause },
  )

async function closing<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
