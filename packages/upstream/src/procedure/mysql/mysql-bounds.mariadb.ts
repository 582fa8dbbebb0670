import { parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import { expect, test } from 'vitest'
import {
  answered,
  createTestDatabase,
  createTestProcedures,
  failed,
  until,
} from '../../testing/mariadb.ts'

const mebibyte = 1024 * 1024
const database = await createTestDatabase([
  'CREATE PROCEDURE numbers(IN n INT) READS SQL DATA SELECT seq FROM seq_1_to_1000000 WHERE seq <= n',
  'CREATE PROCEDURE endless() READS SQL DATA SQL SECURITY INVOKER SELECT seq FROM seq_1_to_100000000000',
  'CREATE PROCEDURE counts() READS SQL DATA SQL SECURITY INVOKER SELECT COUNT(*) AS n FROM seq_1_to_100000000000 WHERE seq % 3 = 0',
  'CREATE PROCEDURE counts_as_definer() READS SQL DATA SELECT COUNT(*) AS n FROM seq_1_to_100000000000 WHERE seq % 3 = 0',
  `CREATE PROCEDURE wide(IN n INT) READS SQL DATA
    SELECT REPEAT('a', ${mebibyte}) AS a FROM seq_1_to_1000 WHERE seq <= n`,
  `CREATE PROCEDURE huge() READS SQL DATA SELECT REPEAT('a', 48 * ${mebibyte}) AS a`,
  `CREATE PROCEDURE huge_out(OUT a LONGTEXT) NO SQL SET a = REPEAT('a', 17 * ${mebibyte})`,
  'CREATE PROCEDURE many_sets() NO SQL BEGIN DECLARE n INT DEFAULT 0; WHILE n < 20000 DO SELECT 1 FROM DUAL WHERE FALSE; SET n = n + 1; END WHILE; END',
  'CREATE PROCEDURE sleeps() NO SQL SQL SECURITY INVOKER SELECT SLEEP(1000) AS slept',
  `CREATE PROCEDURE waits_for(IN lock_name VARCHAR(64), IN n INT) NO SQL
    SELECT GET_LOCK(lock_name, 1000) AS got, RELEASE_LOCK(lock_name) AS freed, n AS n, CONNECTION_ID() AS connection_id`,
  'CREATE PROCEDURE who(IN n INT) NO SQL SELECT n AS n, CONNECTION_ID() AS connection_id',
])
const { admin, name } = database
await admin(`GRANT SELECT ON ${name}.* TO ${name}@'%'`)

/** Connections of the account; in a procedure the server shows them under its definer's name. */
const connections = () =>
  admin('SELECT * FROM information_schema.PROCESSLIST WHERE db = ? AND id <> CONNECTION_ID()', [
    name,
  ])
/** Those that run a statement of a procedure: one that works, sleeps or waits for a lock. */
const running = async () =>
  (await connections()).filter(
    ({ STATE: state, INFO: info }) =>
      ['Sending data', 'User sleep', 'User lock'].includes(String(state)) &&
      !String(info).includes('information_schema'),
  )
const gone = () => until(async () => ((await running()).length === 0 ? [{ gone: true }] : []))

test('10,000 rows come whole, one more is refused and ends the statement on the server', async () => {
  const { call } = createTestProcedures(database.connection)
  const { body } = answered(await call('numbers', { n: 10_000 }))
  expect(body.recordsets[0]).toHaveLength(10_000)
  expect(failed(await call('numbers', { n: 10_001 }))).toMatchObject({
    code: 'procedure.too_many_rows',
    status: 502,
    isSent: true,
  })
  expect(failed(await call('endless')).code).toBe('procedure.too_many_rows')
  await gone()
})

test('rows of all record sets count together, and so do the sets', async () => {
  const { call } = createTestProcedures(database.connection)
  expect(failed(await call('many_sets')).code).toBe('procedure.too_many_rows')
  expect(failed(await call('numbers', { n: 3 }, { maxRows: 2 })).message).toContain('2 rows')
})

test('16 MiB are the bound of an answer, of one value and of an output alike', async () => {
  const { call } = createTestProcedures(database.connection)
  expect((await call('wide', { n: 15 })).ok).toBe(true)
  const large = { code: 'procedure.too_large', status: 502, isSent: true }
  expect(failed(await call('wide', { n: 1000 }))).toMatchObject(large)
  expect(failed(await call('huge'))).toMatchObject(large)
  expect(failed(await call('huge_out'))).toMatchObject(large)
})

test('a call whose time is up is a 504, and its statement is ended on the server', async () => {
  const { call } = createTestProcedures(database.connection)
  const answer = failed(await call('sleeps', {}, { timeoutMs: 200 }))
  expect(answer).toMatchObject({ code: 'upstream.timeout', status: 504, isSent: true })
  await gone()
})

test('MariaDB itself ends what runs as another account, where KILL is refused', async () => {
  const { call } = createTestProcedures(database.connection)
  const answer = failed(await call('counts_as_definer', {}, { timeoutMs: 200 }))
  expect(answer).toMatchObject({ code: 'upstream.timeout', status: 504, isSent: true })
  await gone()
})

test('with CONNECTION ADMIN a caller that leaves ends that, too', async () => {
  const { call } = createTestProcedures(database.connection)
  await admin(`GRANT CONNECTION ADMIN ON *.* TO ${name}@'%'`)
  const caller = new AbortController()
  const answer = call('counts_as_definer', {}, { signal: caller.signal })
  await until(running)
  caller.abort()
  expect(failed(await answer)).toMatchObject({ code: 'procedure.cancelled', isSent: true })
  await gone()
  await admin(`REVOKE CONNECTION ADMIN ON *.* FROM ${name}@'%'`)
})

test('a caller that leaves ends the statement on the server', async () => {
  const { call } = createTestProcedures(database.connection)
  const caller = new AbortController()
  const answer = call('sleeps', {}, { signal: caller.signal })
  await until(running)
  caller.abort()
  expect(failed(await answer)).toMatchObject({ code: 'procedure.cancelled', isSent: true })
  await gone()
})

test('a caller that has left already calls nothing', async () => {
  const { call } = createTestProcedures(database.connection)
  const answer = failed(await call('sleeps', {}, { signal: AbortSignal.abort() }))
  expect(answer).toMatchObject({ code: 'procedure.cancelled', isSent: false })
})

test('a connection that is killed during a call is an honest 502: it may have been carried out', async () => {
  const { call, bodyOf } = createTestProcedures({ ...database.connection, poolSize: 1 })
  const answer = call('sleeps')
  const [row] = await until(running)
  await admin(`KILL CONNECTION ${Number(row?.['ID'])}`)
  expect(failed(await answer)).toMatchObject({ code: 'upstream.cut', status: 502, isSent: true })
  expect(await bodyOf('who', { n: 1 })).toContain('"n":1')
})

test('a statement that another account ends is a failure, not an empty success', async () => {
  const { call } = createTestProcedures(database.connection)
  const answer = call('counts')
  const [row] = await until(running)
  await admin(`KILL QUERY ${Number(row?.['ID'])}`)
  expect(failed(await answer)).toMatchObject({ code: 'procedure.failed', isSent: true })
})

test('an idle connection that the server closed is replaced unseen', async () => {
  const { bodyOf } = createTestProcedures({ ...database.connection, poolSize: 1 })
  expect(await bodyOf('who', { n: 1 })).toContain('"n":1')
  for (const { ID: id } of await connections()) await admin(`KILL CONNECTION ${Number(id)}`)
  await until(async () => ((await connections()).length === 0 ? [{ gone: true }] : []))
  expect(await bodyOf('who', { n: 2 })).toContain('"n":2')
})

test('200 calls at once share 10 connections, and each gets its own answer', async () => {
  const { call } = createTestProcedures(database.connection)
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => call('who', { n }).then(answered)),
  )
  const rows = answers.map(({ body }) => body.recordsets[0]?.[0])
  expect(rows.map((row) => stringifyExact(row?.['n'] ?? null))).toEqual(
    Array.from({ length: 200 }, (_, n) => String(n)),
  )
  const used = new Set(rows.map((row) => stringifyExact(row?.['connection_id'] ?? null)))
  expect(used.size).toBeLessThanOrEqual(10)
  expect(used.size).toBeGreaterThan(1)
})

test('time that is up in the queue is a 503: nothing was called', async () => {
  const { call } = createTestProcedures({ ...database.connection, poolSize: 1 })
  const caller = new AbortController()
  const first = call('sleeps', {}, { signal: caller.signal })
  await until(running)
  const second = failed(await call('who', { n: 1 }, { timeoutMs: 100 }))
  expect(second).toMatchObject({ code: 'procedure.busy', status: 503, isSent: false })
  expect(second.retryAfterSeconds).toBe(1)
  caller.abort()
  await first
})

test('a changed definition gets a new pool; calls under way on the old one finish', async () => {
  const { upstream, api } = createTestProcedures(database.connection)
  await admin('SELECT GET_LOCK(?, 0)', [`${name}_gate`])
  const call = { name: 'waits_for', values: {}, timeoutMs: 20_000 }
  const values = { lock_name: `${name}_gate`, n: parseExact('1') }
  const under = upstream.call(api, { ...call, values })
  const [before] = await until(running)
  const changed = { id: api.id, connection: { ...api.connection, poolSize: 9 } }
  const who = { name: 'who', values: { n: parseExact('2') }, timeoutMs: 20_000 }
  const after = answered(await upstream.call(changed, who))
  expect(stringifyExact(after.body.recordsets[0]?.[0]?.['connection_id'] ?? null)).not.toBe(
    String(before?.['ID']),
  )
  await admin('SELECT RELEASE_LOCK(?)', [`${name}_gate`])
  expect(answered(await under).body.recordsets[0]?.[0]).toMatchObject({ n: parseExact('1') })
  await until(async () =>
    (await connections()).every(({ ID: id }) => id !== before?.['ID']) ? [{ gone: true }] : [],
  )
})

test('closing lets calls under way finish, refuses new ones and leaves no connection', async () => {
  const { upstream, api, call } = createTestProcedures(database.connection)
  await admin('SELECT GET_LOCK(?, 0)', [`${name}_closing`])
  const under = call('waits_for', { lock_name: `${name}_closing`, n: 1 })
  await until(running)
  const closed = upstream.close()
  expect(failed(await call('who', { n: 1 }))).toMatchObject({
    code: 'procedure.cancelled',
    isSent: false,
  })
  await admin('SELECT RELEASE_LOCK(?)', [`${name}_closing`])
  expect((await under).ok).toBe(true)
  await closed
  await until(async () => ((await connections()).length === 0 ? [{ gone: true }] : []))
  expect(await upstream.testConnection(api.connection)).toMatchObject({ ok: false })
})
