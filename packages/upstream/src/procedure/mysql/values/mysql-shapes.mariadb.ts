import { stringifyExact } from '@gatehouse/contract/mapping'
import { expect, test } from 'vitest'
import {
  answered,
  createTestDatabase,
  createTestProcedures,
  failed,
} from '../../../testing/mariadb.ts'

// A session keeps how the record sets of a statement looked last time. Here they never look alike.

const nine = Array.from({ length: 9 }, (_, index) => `c${index} INT`).join(', ')
const database = await createTestDatabase([
  `CREATE PROCEDURE shaped(IN n INT) READS SQL DATA BEGIN
    IF n = 1 THEN SELECT 1 AS a;
    ELSEIF n = 2 THEN SELECT 1 AS a, 'two' AS b;
    ELSEIF n = 3 THEN SELECT 1 AS a, 2 AS b;
    ELSEIF n = 4 THEN SELECT 'one' AS a, 2 AS b; SELECT 1 AS a, 'x' AS c;
    ELSEIF n = 5 THEN SELECT 1 AS a FROM DUAL WHERE FALSE; SELECT 1 AS a;
    ELSEIF n = 6 THEN SELECT CAST(1 AS UNSIGNED) AS a;
    ELSEIF n = 7 THEN SET @nothing = 1;
    ELSE SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no such shape';
    END IF;
  END`,
  `CREATE PROCEDURE sparse() READS SQL DATA SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8 FROM sparse_row ORDER BY id`,
  `CREATE PROCEDURE remade() MODIFIES SQL DATA BEGIN
    CREATE OR REPLACE TEMPORARY TABLE made (a INT); INSERT INTO made VALUES (1); SELECT a FROM made;
    CREATE OR REPLACE TEMPORARY TABLE made (a VARCHAR(9)); INSERT INTO made VALUES ('x'); SELECT a FROM made;
  END`,
  `CREATE PROCEDURE thirty() NO SQL BEGIN DECLARE n INT DEFAULT 0;
    WHILE n < 30 DO SELECT n AS n; SET n = n + 1; END WHILE; END`,
])
await database.admin(`CREATE TABLE ${database.name}.sparse_row (id INT PRIMARY KEY, ${nine})`)
await database.admin(`GRANT ALL ON ${database.name}.* TO ${database.name}@'%'`)

const connection = { ...database.connection, poolSize: 1 }
const expected: Record<number, string> = {
  1: '[[{"a":1}]]',
  2: '[[{"a":1,"b":"two"}]]',
  3: '[[{"a":1,"b":2}]]',
  4: '[[{"a":"one","b":2}],[{"a":1,"c":"x"}]]',
  5: '[[],[{"a":1}]]',
  6: '[[{"a":1}]]',
  7: '[]',
}

test('one statement whose record sets differ from call to call is always read as it is now', async () => {
  const { call } = createTestProcedures(connection)
  const order = Object.keys(expected).map(Number)
  for (const first of order) {
    for (const n of order.flatMap((other) => [first, other])) {
      const { body, columns } = answered(await call('shaped', { n }))
      expect(`${n} ${stringifyExact(body.recordsets)}`).toBe(`${n} ${expected[n]}`)
      const types = columns.map((set) => set.map(({ type }) => type).join())
      if (n === 1) expect(types).toEqual(['int'])
      if (n === 6) expect(types).toEqual(['int unsigned'])
    }
  }
})

test('an error between two shapes leaves nothing of either', async () => {
  const { call } = createTestProcedures(connection)
  for (const n of [2, 1, 4]) {
    expect(failed(await call('shaped', { n: 99 })).code).toBe('procedure.rejected')
    const { body } = answered(await call('shaped', { n }))
    expect(stringifyExact(body.recordsets)).toBe(expected[n])
  }
})

test('NULL is recognised in each of more columns than one byte has bits', async () => {
  const { call } = createTestProcedures(connection)
  const rows = Array.from({ length: 10 }, (_, id) =>
    Array.from({ length: 9 }, (__, place) => (place === id ? null : place)),
  )
  for (const [id, row] of rows.entries()) {
    const values = row.map((value) => value ?? 'NULL').join(', ')
    await database.admin(`INSERT INTO ${database.name}.sparse_row VALUES (${id}, ${values})`)
  }
  for (const _ of [1, 2]) {
    const { body } = answered(await call('sparse'))
    const texts = body.recordsets[0]?.map((row) => stringifyExact(Object.values(row)))
    expect(texts).toEqual(rows.map((row) => JSON.stringify(row)))
  }
})

test('a column that changes its type within one call is read by its type of the moment', async () => {
  const { call } = createTestProcedures(connection)
  for (const _ of [1, 2]) {
    const { body } = answered(await call('remade'))
    expect(stringifyExact(body.recordsets)).toBe('[[{"a":1}],[{"a":"x"}]]')
  }
})

test('more record sets than are kept come all the same', async () => {
  const { call } = createTestProcedures(connection)
  for (const _ of [1, 2]) {
    const { body } = answered(await call('thirty'))
    const all = Array.from({ length: 30 }, (__, n) => [{ n }])
    expect(stringifyExact(body.recordsets)).toBe(JSON.stringify(all))
  }
})
