import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { isPostgres } from '../../db/dialect.ts'
import { countRows } from '../../db/whole-database.ts'
import { ok, warning, type Check } from '../checks.ts'
import { inMb } from './machine-checks.ts'

const shownTables = 5
const dayMs = 24 * 60 * 60 * 1_000
/** Growth is told from this many days at least, and judged by the days until the disk is full. */
const [growthDaysMin, fullInDays] = [3, 90]
const freeShareMax = 0.3
/** Of the connections that PostgreSQL gives. */
const connectionShareMax = 0.8

/** What the database itself is like. */
export const databaseChecks: Record<string, Check> = {
  sizes: async (_settings, db) => {
    const rows = [...(await countRows(db))].toSorted(([, one], [, other]) => other - one)
    const largest = rows.slice(0, shownTables).map(([name, count]) => `${name} ${count}`)
    return ok(`${inMb(await bytesOf(db))}; rows of the largest tables: ${largest.join(', ')}`)
  },
  growth: async ({ databaseUrl, dataDir }, db) => {
    const days = await db.selectFrom('archive_size').selectAll().orderBy('day').execute()
    const [first, last] = [days.at(0), days.at(-1)]
    const span = first && last ? (Date.parse(last.day) - Date.parse(first.day)) / dayMs : 0
    if (!first || !last || span < growthDaysMin)
      return ok(`known once the archive has measured for ${growthDaysMin} days`)
    const bytesOnDay = (each: typeof first) => each.database_bytes + each.archive_bytes
    const perDay = (bytesOnDay(last) - bytesOnDay(first)) / span
    const words = `${inMb(Math.max(0, perDay))} a day over ${span} days`
    if (databaseUrl !== undefined || perDay <= 0) return ok(words)
    const { bavail, bsize } = await statfs(dataDir)
    const left = Math.floor((bavail * bsize) / perDay)
    return left < fullInDays ? warning(`${words}: the disk is full in ${left} days`) : ok(words)
  },
  free_pages: async (_settings, db) => {
    if (isPostgres(db)) return ok('PostgreSQL looks after them itself')
    const { rows } = await sql<{ free: number; pages: number }>`select
      (select freelist_count from pragma_freelist_count) as free,
      (select page_count from pragma_page_count) as pages`.execute(db)
    const { free = 0, pages = 1 } = rows[0] ?? {}
    const words = `${Math.round((free * 100) / pages)} % of the file are free, and used again`
    return free > pages * freeShareMax && pages > 100_000 ? warning(words) : ok(words)
  },
  search: async (_settings, db) => {
    if (!isPostgres(db)) return ok('has its indexes')
    const { rows } = await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(db)
    return rows.length > 0
      ? ok('has its indexes (pg_trgm)')
      : warning('pg_trgm is not there: searches read whole tables')
  },
  connections: async ({ databaseConnections }, db) => {
    if (!isPostgres(db)) return ok('SQLite is in the process of the server')
    const { rows } = await sql<{ most: number; used: number; servers: number }>`select
      current_setting('max_connections')::int as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      (select count(*)::int from node where stopped_at is null and seen_at > ${sinceOf(30_000)}) as servers`.execute(
      db,
    )
    const { most = 0, used = 0, servers = 1 } = rows[0] ?? {}
    const wanted = Math.max(1, servers) * (databaseConnections + 1)
    const words = `${used} of ${most} are used; the servers may open ${wanted}`
    return wanted > most * connectionShareMax ? warning(words) : ok(words)
  },
  vacuum: async (_settings, db) => {
    if (!isPostgres(db)) return ok('SQLite needs none')
    const { rows } = await sql<{
      is_on: string
    }>`select current_setting('autovacuum') as is_on`.execute(db)
    return rows[0]?.is_on === 'on' ? ok('autovacuum is on') : warning('autovacuum is off')
  },
}

export const sinceOf = (ms: number) => new Date(Date.now() - ms).toISOString()

async function bytesOf(db: Db): Promise<number> {
  const query = isPostgres(db)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{
        bytes: number
      }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
  return (await query.execute(db)).rows[0]?.bytes ?? 0
}
