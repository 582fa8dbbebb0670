import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { relayTo, type DatabaseRelay } from '../../../test/servers/database-relay.ts'
import { createEmptyPostgres } from '../../../test/test-database.ts'
import { readSettings } from '../../settings/settings.ts'
import { ownAddresses } from '../../http/own-addresses.ts'
import { connect, type Db } from '../connect.ts'
import { databaseTroubleOf } from '../outages/database-away.ts'
import { readPostgresAddress } from './postgres-hosts.ts'
import { repeatOnConflict } from '../transactions/repeat-on-conflict.ts'
import { transact } from '../transactions/transaction.ts'

const placesOf = (url: string) =>
  readPostgresAddress(url)?.hosts.map(({ host, port }) => `${host} ${port}`)

it.each([
  ['postgres://u:p@db/gatehouse', ['db 5432'], false],
  ['postgresql://u:p%40x@db:6000/gatehouse?sslmode=disable', ['db 6000'], false],
  ['postgres://h1:5432,h2:5433/db?target_session_attrs=read-write', ['h1 5432', 'h2 5433'], true],
  ['postgres://u@h1,h2/db', ['h1 5432', 'h2 5432'], true],
  ['postgres://u@h1,h2/db?target_session_attrs=any', ['h1 5432', 'h2 5432'], false],
  ['postgres://u@h1/db?target_session_attrs=primary', ['h1 5432'], true],
  ['postgres://u@[::1]:5433,[fd00::2]/db', ['::1 5433', 'fd00::2 5432'], true],
  ['postgres:///db?host=/run/postgresql', ['/run/postgresql 5432'], false],
  ['postgres://u@/db?host=h1,h2&port=1,2', ['h1 1', 'h2 2'], true],
  ['postgres://u@/db?host=h1,h2&port=1', ['h1 1', 'h2 1'], true],
])('%s is read as libpq reads it', (url, places, isWritable) => {
  expect(placesOf(url)).toEqual(places)
  expect(readPostgresAddress(url)?.isWritable).toBe(isWritable)
})

it('each host keeps the rest of the address', () => {
  const [, second] = readPostgresAddress('postgres://u:p%40x@h1:1,h2:2/db?sslmode=disable')!.hosts
  const { username, password, pathname, searchParams } = new URL(second!.url)
  expect([username, password, pathname]).toEqual(['u', 'p%40x', '/db'])
  expect(Object.fromEntries(searchParams)).toEqual({ host: 'h2', port: '2', sslmode: 'disable' })
})

it.each([
  'mysql://h/db',
  'postgres://h1:x,h2/db',
  'postgres://h1:70000/db',
  'postgres://h1,h2/db?target_session_attrs=standby',
])('%s is refused', (url) => {
  expect(readPostgresAddress(url)).toBeUndefined()
  expect(() => readSettings({ DATABASE_URL: url })).toThrow(/DATABASE_URL=\(hidden\) can't be used/)
})

it('no upstream call reaches any of the hosts', async () => {
  const settings = readSettings({ DATABASE_URL: 'postgres://u@127.0.0.1:6001,localhost:6002/db' })
  const own = await ownAddresses(settings)
  expect(own).toContainEqual({ address: '127.0.0.1', port: 6001 })
  expect(own).toContainEqual({ address: '127.0.0.1', port: 6002 })
})

const secondUrl = process.env['TEST_SECOND_DATABASE_URL']

// SQLite has no server.
describe.skipIf(secondUrl === undefined)('of two servers', () => {
  const drops: (() => Promise<unknown>)[] = []
  let urls: string[]
  let relays: DatabaseRelay[]
  let db: Db
  beforeEach(async () => {
    const { url: first, drop } = (await createEmptyPostgres())!
    const name = new URL(first).pathname.slice(1)
    await ask(secondUrl!, `create database ${name}`)
    drops.push(drop, () => ask(secondUrl!, `drop database ${name} with (force)`))
    urls = [first, secondUrl!.replace('/postgres?', `/${name}?`)]
    for (const url of urls) await ask(url, 'create table written (at integer)')
  })
  afterEach(async () => {
    await db.destroy()
    for (const relay of relays) await relay.close()
    await setInUse(false)
    for (const drop of drops.splice(0)) await drop()
  })

  async function open(parameters = '?target_session_attrs=read-write'): Promise<void> {
    relays = await Promise.all(urls.map((url) => relayTo(url)))
    const places = relays.map(({ url }) => new URL(url).host)
    const { pathname } = new URL(urls[0]!)
    const url = `postgres://postgres@${places.join(',')}${pathname}${parameters}`
    db = connect({ kind: 'postgres', url })
  }

  async function ask(url: string, statement: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // It undoes what it finds.
    await client.query('set default_transaction_read_only = off')
    const { rows } = await client.query<Record<string, unknown>>(statement)
    await client.end()
    return rows
  }

  /** For connections that are made from now on. */
  const setReadOnly = (at: number, isReadOnly: boolean) =>
    ask(
      urls[at]!,
      `alter database ${new URL(urls[at]!).pathname.slice(1)}
        set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    )

  /** Of the second server, which no other file uses: also for its connections that are in use. */
  async function setInUse(isReadOnly: boolean): Promise<void> {
    const value = isReadOnly ? 'on' : 'off'
    await ask(secondUrl!, `alter system set default_transaction_read_only = ${value}`)
    await ask(secondUrl!, 'select pg_reload_conf()')
    const client = new pg.Client({ connectionString: secondUrl! })
    await client.connect()
    const shown = async () =>
      (await client.query<Record<string, string>>('show default_transaction_read_only')).rows[0]
    while ((await shown())?.['default_transaction_read_only'] !== value);
    await client.end()
  }

  const write = (at: number) =>
    repeatOnConflict(() =>
      transact(db, async (open) => {
        await sql`insert into written values (${at})`.execute(open.db)
      }),
    )
  const written = () =>
    Promise.all(urls.map((url) => ask(url, 'select at from written order by at')))

  it('the first that answers is used, and the next once it does not', async () => {
    await open()
    await write(1)
    await relays[0]!.goAway()
    await write(2).catch(() => write(2))
    await write(3)
    expect(await written()).toEqual([[{ at: 1 }], [{ at: 2 }, { at: 3 }]])
  })

  it('the one that takes writes is used, also when that changes while it is in use', async () => {
    await setReadOnly(0, true)
    await open()
    await write(1)
    expect(await written()).toEqual([[], [{ at: 1 }]])
    await setReadOnly(0, false)
    await setInUse(true)
    // The connections are those from before.
    await write(2)
    expect(await written()).toEqual([[{ at: 2 }], [{ at: 1 }]])
  })

  it('one that is silent holds up connections once', async () => {
    await open()
    relays[0]!.silence()
    await write(1)
    const attempts = relays[0]!.attempts()
    await Promise.all([write(2), write(3), write(4)])
    expect(relays[0]!.attempts()).toBe(attempts)
  })

  it('where none takes writes, the database is away', async () => {
    await setReadOnly(0, true)
    await setReadOnly(1, true)
    await open()
    expect(await write(1).catch(databaseTroubleOf)).toBe('away')
    await db.destroy()
    await open('?target_session_attrs=any')
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  })
})
