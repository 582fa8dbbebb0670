import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Db } from '../../db/connect.ts'
import { databaseFile } from '../../db/sqlite-file.ts'
import { hasTable } from '../../db/whole-database.ts'
import type { Settings } from '../../settings/settings.ts'
import { findPgDump } from '../../upgrade/postgres-dump.ts'
import type { Finding } from '../checks.ts'
import { productVersion } from '../product-version.ts'

interface Permit extends Finding {
  name: string
}

const silentMs = 30_000
const mib = 1024 * 1024

/** Whether room, backups and the servers that run permit the upgrade. */
export async function* permitsOf(db: Db, settings: Settings): AsyncGenerator<Permit> {
  yield { name: 'room', ...(await roomFor(settings)) }
  yield { name: 'copy', ...copyOf(settings) }
  yield { name: 'backup', ...(await newestBackup(db)) }
  yield { name: 'servers', ...(await othersRunning(db)) }
}

/** SQLite: for the copy that the start makes, beside the one of this command, which is gone by then. */
async function roomFor({ databaseUrl, dataDir }: Settings): Promise<Finding> {
  if (databaseUrl !== undefined)
    return {
      state: 'ok',
      words: 'look at that of PostgreSQL: the copy needs as much as the database',
    }
  const needed = statSync(databaseFile(dataDir)).size + mib
  const { bavail, bsize } = await statfs(dataDir)
  const words = `${Math.ceil(needed / mib)} MiB are needed for a copy in ${dataDir}, ${Math.floor((bavail * bsize) / mib)} are free`
  return { state: bavail * bsize < needed ? 'failed' : 'ok', words }
}

function copyOf({ databaseUrl, isBackedUp }: Settings): Finding {
  if (!isBackedUp)
    return {
      state: 'warning',
      words: 'UPGRADE_BACKUP is off: the start makes no copy before the upgrade',
    }
  if (databaseUrl === undefined)
    return { state: 'ok', words: 'the start copies the database before the upgrade' }
  return findPgDump()
    ? { state: 'ok', words: 'the start keeps a dump of the database (pg_dump) before the upgrade' }
    : {
        state: 'warning',
        words:
          'pg_dump is not there, so the start keeps no dump: npm run admin -- backup, with the old version',
      }
}

async function newestBackup(db: Db): Promise<Finding> {
  const newest = (await hasTable(db, 'backup'))
    ? await db
        .selectFrom('backup')
        .select('made_at')
        .orderBy('made_at', 'desc')
        .limit(1)
        .executeTakeFirst()
    : undefined
  if (!newest)
    return {
      state: 'warning',
      words: 'none was made: npm run admin -- backup, with the old version',
    }
  const hours = (Date.now() - Date.parse(newest.made_at)) / 3_600_000
  return {
    state: hours > 24 ? 'warning' : 'ok',
    words: `the last one is ${hours.toFixed(0)} hours old`,
  }
}

/** Servers of one minor version and of the next may run side by side on PostgreSQL. */
async function othersRunning(db: Db): Promise<Finding> {
  const since = new Date(Date.now() - silentMs).toISOString()
  const running = (await hasTable(db, 'node'))
    ? await db
        .selectFrom('node')
        .select(['name', 'version'])
        .where('seen_at', '>', since)
        .where('stopped_at', 'is', null)
        .execute()
    : []
  const own = productVersion()
  const names = running.map(({ name, version }) => `${name} (${version})`).join(', ')
  if (names === '') return { state: 'ok', words: `none runs; this version is ${own}` }
  const far = running.filter(({ version }) => !areNeighbours(version, own))
  return far.length === 0
    ? { state: 'ok', words: `${names} run, and may go on beside ${own} on PostgreSQL` }
    : { state: 'failed', words: `stop ${names} first: they can’t run beside ${own}` }
}

function areNeighbours(one: string, other: string): boolean {
  const [majorA = 0, minorA = 0] = one.split(/[.+-]/).map(Number)
  const [majorB = 0, minorB = 0] = other.split(/[.+-]/).map(Number)
  return majorA === majorB && Math.abs(minorA - minorB) <= 1
}
