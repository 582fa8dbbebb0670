import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { checkValueOf, findCheckValue } from '../settings/app-key.ts'
import { findAppKey } from '../settings/data-dir.ts'
import type { Db } from '../db/connect.ts'
import { askDatabaseTime } from '../db/outages/database-time.ts'
import { isPostgres } from '../db/dialect.ts'
import type { Settings } from '../settings/settings.ts'
import { compareSchema, connectToExisting, nameOfDatabase } from './admin-database.ts'

export interface Finding {
  state: 'ok' | 'warning' | 'failed'
  words: string
  /** What mends it; absent: what mends findings of this check. */
  mend?: string
}

export const ok = (words: string): Finding => ({ state: 'ok', words })
export const warning = (words: string): Finding => ({ state: 'warning', words })
export const failed = (words: string): Finding => ({ state: 'failed', words })

export type Check = (settings: Settings, db: Db) => Finding | Promise<Finding>

/** What needs no database. */
const ofMachine: Record<string, (settings: Settings) => Finding | Promise<Finding>> = {
  folder: ({ dataDir }) => {
    if (!existsSync(dataDir)) return failed(`${dataDir} is not there`)
    if (process.platform === 'win32') return ok(dataDir)
    const others = (statSync(dataDir).mode & 0o077) !== 0
    return others
      ? warning(`others may look into ${dataDir}: chmod 700 ${dataDir}`)
      : ok(`${dataDir} is for this account alone`)
  },
  disk: async ({ dataDir }) => {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    const percent = blocks === 0 ? 100 : (bavail * 100) / blocks
    const words = `${((bavail * bsize) / 1e9).toFixed(1)} GB (${percent.toFixed(0)} %) are free in ${dataDir}`
    if (bavail * bsize < fullBytes) return failed(words)
    return percent < lowPercent ? warning(words) : ok(words)
  },
}

/** Below that, logs stop and saves are refused soon. */
const fullBytes = 64 * 1024 * 1024
const lowPercent = 10
const skewMaxMs = 2_000
const backupHours = 26

const ofDatabase: Record<string, Check> = {
  schema: async (_settings, db) => {
    const { missing, unknown } = await compareSchema(db)
    if (unknown.length > 0) return failed(`made by a newer version (${unknown.at(-1)})`)
    return missing.length > 0
      ? warning(`${missing.length} migrations are made with the next start (from ${missing[0]})`)
      : ok('of this version')
  },
  rights: async (_settings, db) => {
    if (!isPostgres(db)) {
      await db.connection().execute(async (one) => {
        await sql`begin immediate`.execute(one)
        await sql`rollback`.execute(one)
      })
      return ok('the database takes writes')
    }
    const { rows } = await sql<{ writes: boolean; creates: boolean }>`select
      not (pg_is_in_recovery() or current_setting('transaction_read_only') = 'on')
        and has_table_privilege('"user"', 'insert, update, delete') as writes,
      has_schema_privilege(current_schema(), 'create') as creates`.execute(db)
    if (!rows[0]?.writes)
      return failed('the account, or this server of PostgreSQL, takes no writes')
    return rows[0].creates
      ? ok('the account reads, writes and migrates')
      : warning('the account can’t make tables: an update will not start')
  },
  key: async ({ dataDir, appKey, appKeyPrevious }, db) => {
    const [key, known] = [findAppKey(dataDir, appKey), await findCheckValue(db)]
    if (!key)
      return known ? failed('there is none, and the database was used with one') : ok('none yet')
    if (known === undefined || known === checkValueOf(key)) return ok('is that of the database')
    return appKeyPrevious && known === checkValueOf(appKeyPrevious)
      ? warning('a rotation is under way: run rotate-key')
      : failed('is not the key that this database was used with')
  },
  clock: async (_settings, db) => {
    if (!isPostgres(db)) return ok('that of this machine counts')
    const before = Date.now()
    const theirs = await askDatabaseTime(db)
    const offset = Math.round((before + Date.now()) / 2 - theirs)
    const words = `${Math.abs(offset)} ms ${offset < 0 ? 'behind' : 'ahead of'} the database`
    return Math.abs(offset) > skewMaxMs ? warning(words) : ok(words)
  },
  backup: async (_settings, db) => {
    const newest = await db
      .selectFrom('backup')
      .select('made_at')
      .orderBy('made_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!newest) return warning('none was made with `npm run admin -- backup`')
    const hours = (Date.now() - Date.parse(newest.made_at)) / 3_600_000
    const words = `the last one is ${hours.toFixed(0)} hours old`
    return hours > backupHours ? warning(words) : ok(words)
  },
}

interface MoreChecks {
  machine: typeof ofMachine
  database: typeof ofDatabase
}

/** One finding after the other. A check that throws has failed; without a database its checks are left out. */
export async function* checksOf(
  readSettings: () => Settings,
  more: MoreChecks = { machine: {}, database: {} },
): AsyncGenerator<readonly [string, Finding]> {
  let settings: Settings
  try {
    settings = readSettings()
  } catch (error) {
    yield ['settings', failed((error as Error).message)]
    return
  }
  yield ['settings', ok('all can be used')]
  for (const [name, look] of Object.entries({ ...ofMachine, ...more.machine }))
    yield [name, await found(() => look(settings))]
  let db: Db
  try {
    db = await connectToExisting(settings)
  } catch (error) {
    yield ['database', failed((error as Error).message)]
    return
  }
  try {
    yield ['database', ok(nameOfDatabase(settings))]
    const { missing, unknown } = await compareSchema(db)
    const isOwn = missing.length + unknown.length === 0
    for (const [name, look] of Object.entries({ ...ofDatabase, ...(isOwn ? more.database : {}) }))
      yield [name, await found(() => look(settings, db))]
  } finally {
    await db.destroy()
  }
}

async function found(look: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    return failed((error as Error).message.replace(/\s+/g, ' '))
  }
}
