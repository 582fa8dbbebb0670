import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '@gatehouse/logging'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { relayTo, type DatabaseRelay } from '../../../test/servers/database-relay.ts'
import { createEmptyPostgres } from '../../../test/test-database.ts'
import { connect, type Db } from '../connect.ts'
import { OutageLog } from './outage-log.ts'
import { reachOf } from '../postgres/pooled-dialect.ts'

// SQLite can't be away.
const isSqlite = !process.env.TEST_DATABASE_URL

let folder: string
let postgres: NonNullable<Awaited<ReturnType<typeof createEmptyPostgres>>>
let relay: DatabaseRelay
let db: Db
let outages: OutageLog
beforeEach(async () => {
  if (isSqlite) return
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-outage-'))
  postgres = (await createEmptyPostgres())!
  relay = await relayTo(postgres.url)
  db = connect({ kind: 'postgres', url: relay.url })
  outages = new OutageLog()
})
afterEach(async () => {
  if (isSqlite) return
  outages.stop()
  await db.destroy()
  await relay.close()
  await postgres.drop()
  rmSync(folder, { recursive: true })
})

interface Line {
  level: string
  msg: string
  duration_ms?: number
  failures?: Record<string, number>
}

function startLog() {
  const log = openLog(folder, 'admin', 'info', { leavesOut: outages.counts })
  outages.watch(log, reachOf(db))
  const lines = (): Line[] => {
    log.flush()
    const place = join(folder, 'logs', 'admin')
    const text = readdirSync(place)
      .map((file) => readFileSync(join(place, file), 'utf8'))
      .join('')
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  }
  return { log, lines }
}

it.skipIf(isSqlite)(
  'an outage is two lines, however much fails, and the second one counts it',
  async () => {
    const { log, lines } = startLog()
    const keeper = log.child({ part: 'keeper' })
    const fail = async (text: string) => {
      const error = await sql`select 1`.execute(db).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      keeper.error({ err: new Error('wrapped', { cause: error }) }, text)
    }
    await sql`select 1`.execute(db)
    log.info('begin')
    await relay.goAway()
    for (let times = 0; times < 30; times++)
      await fail(times % 3 ? 'a round failed' : 'call failed')
    log.error({ err: Object.assign(new Error('upstream'), { code: 'ECONNREFUSED' }) }, 'a bug')
    await relay.comeBack()
    await vi.waitFor(() => sql`select 1`.execute(db))
    await vi.waitFor(() => expect(lines().at(-1)?.msg).toBe('the database is there again'))
    expect(lines().map(({ level, msg }) => [level, msg])).toEqual([
      ['info', 'begin'],
      ['error', expect.stringMatching(/^the database is away/)],
      ['error', 'a bug'],
      ['warn', 'the database is there again'],
    ])
    expect(lines().at(-1)).toMatchObject({
      duration_ms: expect.any(Number) as number,
      failures: { 'a round failed': 20, 'call failed': 10 },
    })
  },
)

it.skipIf(isSqlite)('a server that stops during an outage says what has failed', async () => {
  const { log, lines } = startLog()
  await relay.goAway()
  const error = await sql`select 1`.execute(db).catch((thrown: unknown) => thrown)
  log.error({ err: error }, 'a round failed')
  outages.stop()
  expect(lines().at(-1)).toMatchObject({ level: 'warn', failures: { 'a round failed': 1 } })
})
