import { chmodSync, readdirSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StartError } from '../settings/data-dir.ts'
import { syncFolder } from '../http/put-file.ts'
import { databaseFile } from '../db/sqlite-file.ts'
import { isStoreFull } from '../db/outages/store-refusal.ts'

/** `before-upgrade.<its last migration>.<the last one of the upgrade>.<moment>.sqlite` */
const namePattern = /^before-upgrade\.(\d{4}-[\w-]+)\.(\d{4}-[\w-]+)\.([\dTZ-]+)\.sqlite$/
const keptMax = 3
const mib = 1024 * 1024
/** Pages that are copied together. */
const rate = 4096

interface Upgrade {
  folder: string
  /** The last migration that the database has been through, and the last one that it will go through. */
  from: string
  to: string
  now: Date
}

/**
 * Copies a SQLite database as it is into its folder, before an upgrade, and keeps the last three such copies.
 * Returns the file; undefined where this upgrade has begun before, so that its copy is there. Throws a StartError
 * where the disk has no room for it.
 */
export async function backUpBeforeUpgrade(upgrade: Upgrade): Promise<string | undefined> {
  const { folder, from, to, now } = upgrade
  const made = listBackups(folder)
  // An upgrade that was broken off, as by a full disk, is tried again and again: it pushes no copy out.
  if (made.some((each) => each.to === to && each.from < from)) return undefined
  const moment = now.toISOString().replaceAll(/[:.]/g, '-')
  const file = join(folder, `before-upgrade.${from}.${to}.${moment}.sqlite`)
  await copyDatabase(folder, file)
  for (const { name } of listBackups(folder).slice(0, -keptMax)) rmSync(join(folder, name))
  return file
}

/** The oldest first. */
const listBackups = (folder: string) =>
  readdirSync(folder)
    .flatMap((name) => {
      const [, from = '', to = '', moment = ''] = namePattern.exec(name) ?? []
      return moment === '' ? [] : [{ name, from, to, moment }]
    })
    .toSorted((one, other) => (one.moment < other.moment ? -1 : 1))

/**
 * Copies the SQLite database of a folder to a file on the same disk, as it is, for this account alone. Throws a
 * StartError where there is no room.
 */
export async function copyDatabase(folder: string, file: string): Promise<void> {
  const part = join(folder, 'before-upgrade.part')
  const database = new DatabaseSync(databaseFile(folder), { readOnly: true })
  try {
    const neededBytes = sizeOf(database)
    if (neededBytes + mib > freeBytes(folder)) throw noRoom(folder, neededBytes)
    rmSync(part, { force: true })
    writeFileSync(part, '', { mode: 0o600, flag: 'wx' })
    await backup(database, part, { rate }).catch((error: unknown) => {
      throw isStoreFull(error) ? noRoom(folder, neededBytes, error) : error
    })
    await sync(part)
    chmodSync(part, 0o600)
    renameSync(part, file)
    syncFolder(folder)
  } finally {
    database.close()
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(part + ending, { force: true })
  }
}

function sizeOf(database: DatabaseSync): number {
  const { size } = database
    .prepare('select page_count * page_size as size from pragma_page_count, pragma_page_size')
    .get() as { size: number }
  return size
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function noRoom(folder: string, neededBytes: number, cause?: unknown): StartError {
  const [needed, free] = [neededBytes + mib, freeBytes(folder)].map((bytes) =>
    Math.ceil(bytes / mib),
  )
  return new StartError(
    `The upgrade copies the database first, which needs ${needed} MiB in ${folder}; ${free} MiB are free. Make room ` +
      'there, or back up yourself and set UPGRADE_BACKUP=off to go on without the copy.',
    { cause },
  )
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}
