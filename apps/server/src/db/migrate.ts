import { readdir } from 'node:fs/promises'
import { Migrator, type Migration } from 'kysely/migration'
import type { Db } from './connect.ts'

const folder = new URL('../../migrations/', import.meta.url)

/**
 * Every file of the `migrations` folder, under its name without the ending. Forward only: a
 * migration that has been released is never changed; a new one follows it.
 */
async function getMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-.*\.ts$/.test(file)).toSorted()
  const load = async (file: string): Promise<[string, Migration]> => [
    file.slice(0, -'.ts'.length),
    await import(new URL(file, folder).href),
  ]
  return Object.fromEntries(await Promise.all(files.map(load)))
}

/**
 * Brings the schema up to date, all or nothing. Servers that start together on one PostgreSQL wait
 * for each other. Throws when the database was made by a newer version. Tests of migrations name the `last`
 * one to make.
 */
export async function migrate(db: Db, last?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations } })
  const { error } = await (last === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(last))
  if (error) throw new Error('The database could not be brought up to date.', { cause: error })
}
