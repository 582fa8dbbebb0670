import { fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../test/servers/build-server.ts'
import { relayTo, type DatabaseRelay } from '../../../test/servers/database-relay.ts'
import { createEmptyPostgres, prepareDatabase } from '../../../test/test-database.ts'
import { systemClock } from '../../kernel/clock.ts'
import { inTransactionOn } from '../../stores.ts'
import { connect, type Db } from '../connect.ts'
import { ConnectionPool } from './connection-pool.ts'
import { databaseTroubleOf } from '../outages/database-away.ts'
import { readPostgresAddress } from './postgres-hosts.ts'

// SQLite has one connection, and no server that could be away.
const isSqlite = !process.env.TEST_DATABASE_URL

let postgres: { url: string; drop: () => Promise<void> }
let relay: DatabaseRelay
let servers: TestServer[]
let connections: number | undefined

describe.skipIf(isSqlite)('calls', () => {
  beforeEach(async () => {
    postgres = (await createEmptyPostgres())!
    relay = await relayTo(postgres.url)
    servers = []
    connections = undefined
  })
  afterEach(async () => {
    for (const server of servers) await server.close()
    await relay.close()
    await postgres.drop()
  })

  /** Another one on the same database, through the relay. */
  async function start(url = relay.url): Promise<TestServer> {
    const db = connect({ kind: 'postgres', url, ...(connections ? { connections } : {}) })
    if (servers.length === 0) await prepareDatabase(db)
    const beside = servers[0] && {
      secrets: servers[0].secrets,
      instanceId: `server ${servers.length}`,
    }
    const server = await buildServer({}, undefined, { db, drop: () => db.destroy() }, beside)
    servers.push(server)
    return server
  }

  const read = (server: TestServer) =>
    server.send('GET', '/api/apis', { token: server.admin.token })
  let made = 0
  const change = (server: TestServer) =>
    server.send('POST', '/api/apis', {
      token: server.admin.token,
      body: httpApi({ name: `API ${++made}` }),
    })

  it('of servers that together have too few connections are answered', async () => {
    // Superusers have no such limit.
    const name = new URL(postgres.url).pathname.slice(1)
    await onDatabase(async (client) => {
      await client.query(`create role ${name} login connection limit 12`)
      await client.query(`alter database ${name} owner to ${name}`)
    })
    const url = postgres.url.replace('postgres@', `${name}@`)
    try {
      const all = [await start(url), await start(url), await start(url)]
      const answers = await Promise.all(
        Array.from({ length: 90 }, (_, at) => (at % 3 ? read : change)(all[at % 3]!)),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
    } finally {
      for (const server of servers.splice(0)) await server.close()
      await onDatabase((client) => client.query(`reassign owned by ${name} to postgres`))
      await onDatabase((client) => client.query(`drop role ${name}`))
    }
  })

  it('that read are answered while changes wait for a lock', async () => {
    const server = await start()
    await onDatabase(async (holder) => {
      await holder.query('begin')
      await holder.query('update config_revision set revision = revision')
      const changes = Array.from({ length: 20 }, () => change(server))
      await onDatabase((looking) => waitingForLocks(looking, 3))
      const reads = await Promise.all(Array.from({ length: 20 }, () => read(server)))
      expect(reads.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
      await holder.query('rollback')
      const answers = await Promise.all(changes)
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    })
  })

  it('get 503 and Retry-After while the database goes away, and are answered afterwards', async () => {
    const server = await start()
    const answers: Awaited<ReturnType<typeof read>>[] = []
    const calls = Array.from({ length: 40 }, async (_, at) => {
      for (let times = 0; times < 4; times++) answers.push(await (at % 2 ? read : change)(server))
    })
    await Promise.race(calls)
    await relay.goAway()
    await Promise.all(calls)
    answers.push(await read(server), await change(server))
    const refused = answers.filter(({ status }) => status !== 200 && status !== 201)
    expect(refused.length).toBeGreaterThan(1)
    for (const { status, body, headers } of refused) {
      expect([status, (body as { code: string }).code]).toEqual([503, 'database.away'])
      expect(headers['retry-after']).toBe('5')
    }
    await relay.comeBack()
    expect((await read(server)).status).toBe(200)
    expect((await change(server)).status).toBe(201)
  })

  it('get 503 and Retry-After where a lock is not given, or a statement takes too long', async () => {
    const server = await start()
    const refusalOf = async (setting: string) => {
      server.hooks.beforeHandler = async () => {
        await server.db.transaction().execute(async (transaction) => {
          await sql.raw(`set local ${setting} = 1`).execute(transaction)
          await sql`select pg_sleep(60) from (select pg_advisory_xact_lock(7)) as held`.execute(
            transaction,
          )
        })
      }
      const { status, body, headers } = await read(server)
      return [status, (body as { code: string }).code, headers['retry-after']]
    }
    await onDatabase(async (holder) => {
      await holder.query('select pg_advisory_lock(7)')
      expect(await refusalOf('lock_timeout')).toEqual([503, 'database.busy', '5'])
      expect(await refusalOf('statement_timeout')).toEqual([503, 'database.busy', '5'])
    })
  })

  it('go on while another server is stopped within changes, which does them once it runs again', async () => {
    const { db } = await start()
    const revision = async () =>
      (await db.selectFrom('config_revision').select('revision').executeTakeFirstOrThrow()).revision
    const before = await revision()
    const file = new URL('../../../test/processes/freezing-process.ts', import.meta.url)
    const other = fork(file, [postgres.url])
    try {
      expect(await once(other, 'message')).toContain('holding')
      await onDatabase((looking) => waitingForLocks(looking, 2))
      other.kill('SIGSTOP')
      await inTransactionOn(db, systemClock)(({ revisions }) => revisions.bump())
      expect(await revision()).toBe(before + 1)
      const done = new Promise<number>((resolve) =>
        other.on('message', (message) => {
          if (typeof message === 'object') resolve((message as { times: number }).times)
        }),
      )
      other.kill('SIGCONT')
      other.send('go on')
      expect(await done).toBeGreaterThan(3)
      expect(await revision()).toBe(before + 4)
    } finally {
      other.kill('SIGKILL')
    }
  })

  it('that lost their connection before their commit was sent are done again', async () => {
    const { db } = await start()
    const inTransaction = inTransactionOn(db, systemClock)
    const revision = () => inTransaction(async ({ revisions }) => (await revisions.get()).revision)
    const before = await revision()
    let times = 0
    await inTransaction(async ({ revisions }) => {
      await revisions.bump()
      if (++times > 1) return
      await relay.goAway()
      await relay.comeBack()
      await revisions.get()
    })
    expect(times).toBe(2)
    expect(await revision()).toBe(before + 1)
  })

  it('have bounds of PostgreSQL on each connection, and migrations have none', async () => {
    const db = connect({ kind: 'postgres', url: postgres.url })
    const bounds = async (on: Db) => {
      const of = (name: string) => sql<string>`current_setting(${sql.lit(name)})`.as(name)
      return on
        .selectNoFrom([
          of('statement_timeout'),
          of('lock_timeout'),
          of('idle_in_transaction_session_timeout'),
        ])
        .executeTakeFirstOrThrow()
    }
    const usual = {
      statement_timeout: '30s',
      lock_timeout: '6s',
      idle_in_transaction_session_timeout: '3s',
    }
    try {
      expect(await bounds(db)).toEqual(usual)
      await prepareDatabase(db)
      expect(await bounds(db)).toEqual(usual)
    } finally {
      await db.destroy()
    }
  })

  async function onDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  async function waitingForLocks(client: pg.Client, count: number): Promise<void> {
    for (;;) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if (rows[0]!.count >= count) return
    }
  }
})

describe.skipIf(isSqlite)('a pool', () => {
  beforeEach(async () => {
    postgres = (await createEmptyPostgres())!
  })
  afterEach(() => postgres.drop())

  it('gives up what waits for an answer that the network has lost, and nothing that is slow', async () => {
    const relay = await relayTo(postgres.url)
    const bounds = { size: 2, waitingMax: 1, waitMs: 10_000, idleMs: 1_000, tickMs: 50 }
    const direct = new ConnectionPool(readPostgresAddress(postgres.url)!, bounds)
    const far = new ConnectionPool(readPostgresAddress(relay.url)!, bounds)
    const slow = await direct.connect()
    const lost = await far.connect()
    const sleeps = slow.query('select pg_sleep(2)')
    relay.silence()
    const troubleOf = (query: Promise<unknown>) => query.then(() => 'none', databaseTroubleOf)
    expect(await troubleOf(lost.query('select 1'))).toBe('away')
    expect(await troubleOf(sleeps)).toBe('none')
    await relay.comeBack()
    lost.release()
    const next = await far.connect()
    expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    next.release()
    slow.release()
    await Promise.all([direct.end(), far.end()])
    await relay.close()
  })

  it('refuses calls at once while the database is known to be away, and serves the first after its return', async () => {
    const relay = await relayTo(postgres.url)
    relay.silence()
    // Without the knowledge, each call would wait for longer than the test may take.
    const bounds = { size: 2, waitingMax: 100, waitMs: 600_000, idleMs: 1_000 }
    const pool = new ConnectionPool(readPostgresAddress(relay.url)!, bounds)
    const troubleOf = () => pool.connect().then(() => undefined, databaseTroubleOf)
    expect(await troubleOf()).toBe('away')
    for (let times = 0; times < 20; times++) expect(await troubleOf()).toBe('away')
    const pending = Array.from({ length: 20 }, troubleOf)
    expect(new Set(await Promise.all(pending))).toEqual(new Set(['away']))
    await relay.goAway()
    for (let times = 0; times < 20; times++) expect(await troubleOf()).toBe('away')
    expect(relay.count()).toBe(0)
    await relay.comeBack()
    // A call makes the next try itself.
    const next = await pool.connect()
    expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(pool.reach.awayBecause).toBeUndefined()
    next.release()
    await pool.end()
    await relay.close()
  })

  it('goes on with what it has where one more connection is refused', async () => {
    const relay = await relayTo(postgres.url)
    const bounds = { size: 2, waitingMax: 10, waitMs: 10_000, idleMs: 60_000 }
    const pool = new ConnectionPool(readPostgresAddress(relay.url)!, bounds)
    const first = await pool.connect()
    await relay.refuseMore()
    expect(await pool.connect().then(() => undefined, databaseTroubleOf)).toBe('away')
    expect(pool.reach.awayBecause).toBeUndefined()
    await first.query('select 1')
    first.release()
    ;(await pool.connect()).release()
    await pool.end()
    await relay.close()
  })

  it('has a bound for calls that wait, in number and in time', async () => {
    const target = readPostgresAddress(postgres.url)!
    const bounds = { size: 1, waitingMax: 1, waitMs: 10, idleMs: 1_000 }
    const pool = new ConnectionPool(target, { ...bounds, waitMs: 10_000 })
    const hasty = new ConnectionPool(target, bounds)
    const troubleOf = (connecting: Promise<unknown>) =>
      connecting.then(() => undefined, databaseTroubleOf)
    const used = await pool.connect()
    const waits = pool.connect()
    expect(await troubleOf(pool.connect())).toBe('busy')
    used.release()
    ;(await waits).release()
    // It gives up before the connection is open, which is there for a later call.
    const held = await vi.waitUntil(() => hasty.connect().catch(() => undefined))
    expect(await troubleOf(hasty.connect())).toBe('busy')
    held.release()
    await Promise.all([pool.end(), hasty.end()])
  })
})
