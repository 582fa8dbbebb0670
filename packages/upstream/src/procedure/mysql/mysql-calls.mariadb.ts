import { expect, test } from 'vitest'
import {
  answered,
  createTestDatabase,
  createTestProcedures,
  failed,
} from '../../testing/mariadb.ts'

const odd = 'a `b` "c" \'d\' é;--'
const quoted = `\`${odd.replaceAll('`', '``')}\``

const database = await createTestDatabase([
  'CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(20)) ENGINE = InnoDB',
  "INSERT INTO item VALUES (1, 'one'), (2, 'two')",
  'CREATE PROCEDURE nothing() NO SQL BEGIN END',
  `CREATE PROCEDURE directions(IN a INT, OUT b BIGINT, INOUT c DECIMAL(20,4)) NO SQL
    BEGIN SET b = a * 4000000000; SET c = c / 3; SELECT a AS a; END`,
  'CREATE PROCEDURE only_out(OUT a INT, OUT b VARCHAR(5)) NO SQL SET b = NULL',
  `CREATE PROCEDURE sets(IN from_id INT) READS SQL DATA BEGIN
    SELECT id FROM item WHERE id >= from_id ORDER BY id;
    SELECT name, id FROM item WHERE id > from_id;
    SELECT COUNT(*) AS n FROM item; END`,
  'CREATE PROCEDURE rename_all() MODIFIES SQL DATA UPDATE item SET name = CONCAT(name, id) WHERE id = 1',
  `CREATE PROCEDURE twins() NO SQL SELECT 1 AS id, 2 AS id, 3 AS ID, 4 AS \`__proto__\``,
  `CREATE PROCEDURE ${quoted}(IN \`p \`\` 1\` INT, OUT \`é\` INT) NO SQL SET \`é\` = \`p \`\` 1\` + 1`,
  'CREATE PROCEDURE `with.dot`() NO SQL SELECT 1 AS dot',
  'CREATE PROCEDURE add_item(IN id INT) MODIFIES SQL DATA BEGIN INSERT INTO item VALUES (id, NULL); SELECT COUNT(*) AS n FROM item; END',
  'CREATE PROCEDURE commits(IN id INT) MODIFIES SQL DATA BEGIN START TRANSACTION; INSERT INTO item VALUES (id, NULL); COMMIT; END',
  'CREATE PROCEDURE leaves_open(IN id INT) MODIFIES SQL DATA BEGIN START TRANSACTION; INSERT INTO item VALUES (id, NULL); END',
  'CREATE TABLE note (id INT) ENGINE = Aria TRANSACTIONAL = 0',
  'CREATE PROCEDURE writes_note() MODIFIES SQL DATA INSERT INTO note VALUES (1)',
  `CREATE PROCEDURE remembers() BEGIN
    SELECT @secret AS secret, @@SESSION.sql_mode AS mode;
    SET @secret = 'left behind', SESSION sql_mode = 'ANSI';
    CREATE TEMPORARY TABLE left_behind (a INT); END`,
])
const other = await createTestDatabase(['CREATE PROCEDURE away(IN a INT) NO SQL SELECT a AS away'])
await database.admin(`GRANT EXECUTE ON ${other.name}.* TO ${database.name}@'%'`)

test('a procedure without parameters or results answers in the same shape', async () => {
  const { bodyOf } = createTestProcedures(database.connection)
  expect(await bodyOf('nothing')).toBe(
    '{"recordsets":[],"output":{},"returnValue":null,"rowsAffected":[0]}',
  )
})

test('IN, OUT and INOUT are bound by name, whatever the order they are given in', async () => {
  const { bodyOf } = createTestProcedures(database.connection)
  expect(await bodyOf('directions', '{"c":10.0000,"a":3}')).toBe(
    '{"recordsets":[[{"a":3}]],"output":{"b":12000000000,"c":3.3333},"returnValue":null,"rowsAffected":[0]}',
  )
  expect(await bodyOf('directions', { A: 1, C: null })).toContain('{"b":4000000000,"c":null}')
  expect(await bodyOf('only_out')).toContain('"output":{"a":null,"b":null}')
})

test('an output of one call is not seen by the next', async () => {
  const { bodyOf } = createTestProcedures({ ...database.connection, poolSize: 1 })
  expect(await bodyOf('directions', { a: 1, c: 1 })).toContain('"b":4000000000')
  expect(await bodyOf('only_out')).toContain('"output":{"a":null,"b":null}')
})

test('unknown and missing names are all named, before anything is called', async () => {
  const { call } = createTestProcedures(database.connection)
  const answer = failed(await call('directions', { a: 1, b: 2, x: 3, ['__proto__x']: 4 }))
  expect(answer).toMatchObject({ code: 'procedure.parameters', status: 422, isSent: false })
  expect(answer.fields).toEqual({
    x: ['The stored procedure has no parameter of this name.'],
    __proto__x: ['The stored procedure has no parameter of this name.'],
    b: ['This parameter is an output: it takes no value.'],
    c: ['This parameter is required.'],
  })
  expect(answer.message).toContain('c: This parameter is required.')
  expect(failed(await call('directions', { a: 1, A: 2, c: 1 })).message).toContain('given twice')
  expect(failed(await call('nothing', '{"__proto__":1}')).fields).toHaveProperty('__proto__')
})

test('all record sets come, in order, and empty ones stay', async () => {
  const { call, bodyOf } = createTestProcedures(database.connection)
  expect(await bodyOf('sets', { from_id: 2 })).toBe(
    '{"recordsets":[[{"id":2}],[],[{"n":2}]],"output":{},"returnValue":null,"rowsAffected":[0]}',
  )
  const full = answered(await call('sets', { from_id: 1 }))
  const empty = answered(await call('sets', { from_id: 9 }))
  expect(empty.body.recordsets.slice(0, 2)).toEqual([[], []])
  expect(empty.columns).toEqual(full.columns)
})

test('changed rows are counted', async () => {
  const { bodyOf } = createTestProcedures(database.connection)
  expect(await bodyOf('rename_all')).toContain('"rowsAffected":[1]')
})

test('columns of the same name all come, and none is taken for anything else', async () => {
  const { bodyOf } = createTestProcedures(database.connection)
  expect(await bodyOf('twins')).toContain('[[{"id":1,"id_2":2,"ID":3,"__proto__":4}]]')
})

test('a name that needs quoting is found and called, bare or in backticks', async () => {
  const { bodyOf } = createTestProcedures(database.connection)
  for (const name of [
    odd,
    quoted,
    `${database.name}.${quoted}`,
    `\`${database.name}\`.${quoted}`,
  ]) {
    expect(await bodyOf(name, { 'p ` 1': 41 })).toContain('"output":{"é":42}')
  }
  expect(await bodyOf('with.dot')).toContain('{"dot":1}')
  expect(await bodyOf(`${database.name}.with.dot`)).toContain('{"dot":1}')
})

test('a procedure of another schema is called by schema.name', async () => {
  const { bodyOf, call } = createTestProcedures(database.connection)
  expect(await bodyOf(`${other.name}.away`, { a: 1 })).toContain('{"away":1}')
  expect(failed(await call('away', { a: 1 }))).toMatchObject({
    code: 'procedure.not_found',
    isSent: false,
  })
})

test('a call that may only read is refused unless the procedure declares that it does', async () => {
  const { call } = createTestProcedures(database.connection)
  const read = { isReadOnlyRequired: true }
  expect((await call('nothing', {}, read)).ok).toBe(true)
  expect((await call('sets', { from_id: 1 }, read)).ok).toBe(true)
  for (const name of ['rename_all', 'remembers']) {
    expect(failed(await call(name, {}, read))).toMatchObject({
      code: 'procedure.not_read_only',
      status: 405,
      isSent: false,
    })
  }
})

test('a sample is rolled back, and says where it could not be', async () => {
  const { upstream } = createTestProcedures(database.connection)
  const sample = (name: string, values = {}) =>
    upstream.runSample(database.connection, { name, values, timeoutMs: 20_000 })
  const count = async () => (await database.admin('SELECT COUNT(*) AS n FROM item'))[0]?.['n']
  const before = await count()
  expect(answered(await sample('nothing'))).toMatchObject({ isRolledBack: true })
  const added = answered(await sample('rename_all'))
  expect(added.isRolledBack).toBe(true)
  expect(await count()).toBe(before)
  expect(answered(await sample('writes_note')).isRolledBack).toBe(false)
  expect(await database.admin('SELECT * FROM note')).toHaveLength(1)
})

test('a sample of a procedure that commits does not claim to be rolled back', async () => {
  const { call } = createTestProcedures(database.connection)
  const answer = answered(await call('commits', { id: 77 }, { isSample: true }))
  expect(answer.isRolledBack).toBe(false)
  expect(await database.admin('SELECT * FROM item WHERE id = 77')).toHaveLength(1)
  const added = answered(await call('add_item', { id: 78 }, { isSample: true }))
  expect(added).toMatchObject({ isRolledBack: true })
  expect(await database.admin('SELECT * FROM item WHERE id = 78')).toHaveLength(0)
})

test('a transaction that a procedure leaves open is a failure and is rolled back', async () => {
  const { call } = createTestProcedures({ ...database.connection, poolSize: 1 })
  expect(failed(await call('leaves_open', { id: 88 }))).toMatchObject({
    code: 'procedure.failed',
    message: 'The stored procedure left a transaction open. It was rolled back.',
  })
  expect((await call('nothing')).ok).toBe(true)
  expect(await database.admin('SELECT * FROM item WHERE id = 88')).toHaveLength(0)
})

test('variables, settings and temporary tables of one call are gone in the next', async () => {
  const { bodyOf } = createTestProcedures({ ...database.connection, poolSize: 1 })
  const first = await bodyOf('remembers')
  expect(first).toContain('"secret":null')
  expect(await bodyOf('remembers')).toBe(first)
})

test('the catalogue is read again where a call does not fit what was kept', async () => {
  const { call, bodyOf } = createTestProcedures(database.connection)
  await database.admin('CREATE PROCEDURE moving(IN a INT) NO SQL SELECT a AS a')
  expect(await bodyOf('moving', { a: 1 })).toContain('[[{"a":1}]]')
  await database.admin('DROP PROCEDURE moving')
  await database.admin('CREATE PROCEDURE moving(IN a INT, IN b INT) NO SQL SELECT b AS b')
  expect(await bodyOf('moving', { a: 1, b: 2 })).toContain('[[{"b":2}]]')
  await database.admin('DROP PROCEDURE moving')
  await database.admin('CREATE PROCEDURE moving() NO SQL SELECT 0 AS none')
  expect(failed(await call('moving', { a: 1, b: 2 }))).toMatchObject({
    code: 'procedure.changed',
    isSent: false,
  })
  expect(await bodyOf('moving')).toContain('[[{"none":0}]]')
  await database.admin('DROP PROCEDURE moving')
  expect(failed(await call('moving'))).toMatchObject({ code: 'procedure.not_found', isSent: false })
  expect(failed(await call('moving'))).toMatchObject({ code: 'procedure.not_found', isSent: false })
})

test('testing a connection lists the procedures it may call, with parameters and directions', async () => {
  const { upstream } = createTestProcedures(database.connection)
  const list = await upstream.testConnection(database.connection)
  if (!list.ok) throw new Error(list.detail)
  expect(list.isComplete).toBe(true)
  const directions = list.procedures.find(({ name }) => name === 'directions')
  expect(directions).toMatchObject({
    schema: database.name,
    isReadOnly: true,
    parameters: [
      { name: 'a', direction: 'in', type: 'int(11)' },
      { name: 'b', direction: 'out', type: 'bigint(20)' },
      { name: 'c', direction: 'inout', type: 'decimal(20,4)', precision: 20, scale: 4 },
    ],
  })
  expect(list.procedures.map(({ schema }) => schema)).toEqual([
    ...Array.from({ length: list.procedures.length - 1 }, () => database.name),
    other.name,
  ])
  expect(list.procedures.find(({ name }) => name === 'nothing')?.parameters).toEqual([])
})
