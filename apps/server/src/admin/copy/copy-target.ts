import { existsSync } from 'node:fs'
import { link, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDataDir } from '../../settings/data-dir.ts'
import { connect, databaseFile, sourceOf, type Db } from '../../db/connect.ts'
import { startRefusal } from '../../open-database.ts'
import { syncFolder } from '../../http/put-file.ts'
import type { Settings } from '../../settings/settings.ts'
import { CommandError } from '../command.ts'
import { isUnused } from './copy-rows.ts'
import { replacePostgres } from '../backup/replace-postgres.ts'

type Place = Pick<Settings, 'databaseUrl' | 'dataDir'>

/** A database that is in use gives way: it is kept under another name. */
interface TargetOptions {
  replaces: boolean
}

/**
 * Fills a database that is empty, all or nothing. SQLite: a new file, put in its place when it is whole, while
 * no server may run. Returns where the replaced file was put. Throws a CommandError where the database is in use.
 */
export async function fillTarget(
  place: Place,
  { replaces }: TargetOptions,
  fill: (db: Db) => Promise<void>,
): Promise<{ keptAs?: string }> {
  if (place.databaseUrl !== undefined) return fillPostgres(place, replaces, fill)
  const dataDir = openDataDir(place.dataDir)
  try {
    return await fillFile(dataDir.path, replaces, fill)
  } finally {
    dataDir.release()
  }
}

async function fillPostgres(place: Place, replaces: boolean, fill: (db: Db) => Promise<void>) {
  if (await fillEmptyPostgres(place, replaces, fill)) return {}
  return { keptAs: await replacePostgres(place.databaseUrl ?? '', fill) }
}

/** False: it is in use, and may be replaced. */
async function fillEmptyPostgres(
  place: Place,
  replaces: boolean,
  fill: (db: Db) => Promise<void>,
): Promise<boolean> {
  const db = connect(sourceOf(place.databaseUrl, place.dataDir, 2))
  try {
    const isEmpty = await isUnused(db).catch((error: unknown) => {
      throw startRefusal(error, place.databaseUrl, place.dataDir)
    })
    if (!isEmpty && replaces) return false
    if (!isEmpty)
      throw new CommandError(
        'The database (DATABASE_URL) is not empty. Create a new one and set DATABASE_URL to it, or add --replace ' +
          'to put it aside.',
      )
    await fill(db)
    return true
  } finally {
    await db.destroy()
  }
}

async function fillFile(folder: string, replaces: boolean, fill: (db: Db) => Promise<void>) {
  const file = databaseFile(folder)
  const isThere = existsSync(file)
  if (isThere && !replaces && !(await isFileUnused(folder)))
    throw new CommandError(
      `There is a database in ${folder}. Use another DATA_DIR, or --replace to put it aside.`,
    )
  await mkdir(folder, { recursive: true })
  await removeUnfinished(folder)
  const own = await mkdtemp(join(folder, ownPrefix))
  try {
    const db = connect({ kind: 'file', folder: own })
    try {
      await fill(db)
    } finally {
      // Puts the journal into the file.
      await db.destroy()
    }
    const keptAs = await putInPlace(databaseFile(own), file)
    return keptAs === undefined ? {} : { keptAs }
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

const ownPrefix = 'restore-'

/** What a command that was killed has left. The folder is held by this process. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (new RegExp(`^${ownPrefix}\\w{6}$`).test(name))
      await rm(join(folder, name), { recursive: true, force: true })
}

async function isFileUnused(folder: string): Promise<boolean> {
  const db = connect({ kind: 'file', folder })
  try {
    return await isUnused(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Gives a new database the name of the one that is there, in one step: whatever ends the process, there is the old one
 * or the new one. Returns the other name that the old one has then.
 */
async function putInPlace(fresh: string, file: string): Promise<string | undefined> {
  const aside = existsSync(file)
    ? `${file}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    : undefined
  if (aside !== undefined) {
    foldJournal(file)
    // Where the old one is damaged. A journal without its file would be taken for that of the new one.
    for (const ending of ['-wal', '-shm'])
      if (existsSync(file + ending)) await rename(file + ending, aside + ending)
    // A file system without links: the old one has no name for a moment.
    await link(file, aside).catch(() => rename(file, aside))
  }
  await rename(fresh, file)
  syncFolder(dirname(file))
  return aside
}

function foldJournal(file: string): void {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file)
    database.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // It is put aside as it is.
  } finally {
    database?.close()
  }
}
