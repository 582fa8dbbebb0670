import { describe, expect, test } from 'vitest'
import {
  answered,
  createTestDatabase,
  createTestProcedures,
  failed,
} from '../../../testing/mariadb.ts'

/** A type, a value as JSON text, and what comes back where that is not the same text. */
const exact: [type: string, given: string, back?: string][] = [
  ['bigint', '9223372036854775807'],
  ['bigint', '-9223372036854775808'],
  ['bigint', '"9007199254740993"', '9007199254740993'],
  ['bigint unsigned', '18446744073709551615'],
  ['int', '1.0', '1'],
  ['int', '12e2', '1200'],
  ['mediumint unsigned', '16777215'],
  ['smallint', '-32768'],
  ['tinyint', '-128'],
  ['tinyint unsigned', '255'],
  ['tinyint(1)', 'true'],
  ['tinyint(1)', '"false"', 'false'],
  ['tinyint(1)', '0', 'false'],
  ['bit(1)', 'true'],
  ['bit(1)', '"0"', 'false'],
  ['bit(9)', '"AVU="'],
  ['bit(64)', '18446744073709551615', '"//////////8="'],
  ['decimal(38,10)', '1234567890123456789012345678.0123456789'],
  ['decimal(38,10)', '"0.10"', '0.1000000000'],
  ['decimal(38,10)', '-1E-10', '-0.0000000001'],
  ['decimal(65,0)', '9'.repeat(65)],
  ['float', '0.1'],
  ['float', '16777216'],
  ['double', '0.1'],
  ['double', '1.7976931348623157e308', '1.7976931348623157e+308'],
  ['year', '2026'],
  ['date', '"2026-02-28"'],
  ['datetime(6)', '"2026-11-21T10:00:00.123456"'],
  ['datetime(6)', '"2026-11-21 10:00:00"', '"2026-11-21T10:00:00.000000"'],
  ['datetime', '"2026-11-21"', '"2026-11-21T00:00:00"'],
  ['timestamp(3)', '"2026-11-21T10:00:00.120"'],
  ['time(3)', '"-838:59:59.000"'],
  ['time', '"10:00:00"'],
  ['varchar(20)', '"grün 😀 e\\u0301 \\u0000"', '"grün 😀 e\u0301 \\u0000"'],
  ['varchar(20)', '""'],
  ['varchar(20)', '0.10', '"0.10"'],
  ['longtext', '{"n":12345678901234567890}', '"{\\"n\\":12345678901234567890}"'],
  ['char(3)', '"abc"'],
  ['varchar(9) charset latin1', '"ÿ€ œ"'],
  ['varchar(9) charset ascii', '"abc"'],
  ['varchar(9) charset utf8mb3', '"Łódź"'],
  ["enum('x','y''z')", '"y\'z"'],
  ["set('p','q')", '"p,q"'],
  ['varbinary(4)', '"AP8Q"'],
  ['blob', '""'],
  ['longblob', '"AAEC/w=="'],
  ['uuid', '"123e4567-e89b-12d3-a456-426655440000"'],
  ['inet6', '"2001:db8::1"'],
]

const types = [...new Set(exact.map(([type]) => type))]
const database = await createTestDatabase([
  ...types.map(
    (type, index) =>
      `CREATE PROCEDURE echo_${index}(IN v ${type}, INOUT w ${type}) NO SQL SELECT v AS v`,
  ),
  'CREATE TABLE document (body JSON, place POINT, truth TINYINT(1), many BIT(12), at DATETIME(2))',
  `INSERT INTO document VALUES
    ('{"total": 12345678901234567890.10, "lines": []}', POINT(1.5, 2), 2, b'101', '2026-01-01'),
    (NULL, NULL, NULL, NULL, NULL)`,
  'CREATE PROCEDURE documents() READS SQL DATA SELECT * FROM document',
  `CREATE PROCEDURE doubtful() NO SQL SELECT JSON_OBJECT('a', 1) AS good,
    JSON_COMPACT('{"a":1,"a":2}') AS twice`,
])

describe('a value goes in and comes back exactly', () => {
  test.each(exact)('%s: %s', async (type, given, back = given) => {
    const { bodyOf } = createTestProcedures(database.connection)
    const body = await bodyOf(`echo_${types.indexOf(type)}`, `{"v":${given},"w":${given}}`)
    expect(body).toBe(
      `{"recordsets":[[{"v":${back}}]],"output":{"w":${back}},"returnValue":null,"rowsAffected":[0]}`,
    )
  })

  test.each(types.map((type, index) => [type, index] as const))('%s: NULL', async (_, index) => {
    const { bodyOf } = createTestProcedures(database.connection)
    expect(await bodyOf(`echo_${index}`, '{"v":null,"w":null}')).toContain(
      '[[{"v":null}]],"output":{"w":null}',
    )
  })
})

const unfit: [type: string, given: string, message: string][] = [
  ['bigint', '9223372036854775808', 'from -9223372036854775808 to 9223372036854775807'],
  ['int', '1.5', 'a whole number'],
  ['int', '"1 OR 1=1"', 'a whole number'],
  ['tinyint unsigned', '-1', 'from 0 to 255'],
  ['decimal(38,10)', '0.00000000001', '10 digits after the point'],
  ['decimal(38,10)', '1e28', '28 digits before the point'],
  ['double', '"NaN"', 'a number'],
  ['double', '1e999', 'a number'],
  ['bit(9)', '512', 'more than 9 bits'],
  ['bit(1)', '2', 'more than 1 bits'],
  ['date', '"2026-02-29"', 'a date'],
  ['datetime(6)', '"2026-11-21T10:00:00Z"', 'without a time zone'],
  ['datetime(6)', '"2026-11-21T10:00:00.0000001"', '6 digits after the seconds'],
  ['time', '"839:00:00"', 'a time'],
  ['varchar(20)', `"${'a'.repeat(21)}"`, '20 characters'],
  ['varchar(20)', '"\\ud800"', 'half of a character'],
  ["enum('x','y''z')", '"z"', 'none of the values'],
  ["set('p','q')", '"p,r"', 'none of the values'],
  ['varchar(9) charset latin1', '"Łódź"', 'does not know'],
  ['varchar(9) charset ascii', '"é"', 'does not know'],
  ['varchar(9) charset utf8mb3', '"😀"', 'does not know'],
  ['varbinary(4)', '"AAAAAAA="', '4 bytes'],
  ['varbinary(4)', '"é"', 'base64'],
]

test.each(unfit)(
  '%s refuses %s instead of cutting or rounding it',
  async (type, given, message) => {
    const { call } = createTestProcedures(database.connection)
    const answer = failed(await call(`echo_${types.indexOf(type)}`, `{"v":${given},"w":null}`))
    expect(answer).toMatchObject({ code: 'procedure.parameters', status: 422, isSent: false })
    expect(answer.fields?.['v']?.[0]).toContain(message)
  },
)

test('columns of a table keep their types, and NULL is NULL in every one of them', async () => {
  const { call, bodyOf } = createTestProcedures(database.connection)
  expect(await bodyOf('documents')).toBe(
    '{"recordsets":[[' +
      '{"body":{"total":12345678901234567890.10,"lines":[]},"place":{"x":1.5,"y":2},"truth":true,"many":"AAU=","at":"2026-01-01T00:00:00.00"},' +
      '{"body":null,"place":null,"truth":null,"many":null,"at":null}' +
      ']],"output":{},"returnValue":null,"rowsAffected":[0]}',
  )
  expect(answered(await call('documents')).columns).toEqual([
    [
      { name: 'body', type: 'json' },
      { name: 'place', type: 'point' },
      { name: 'truth', type: 'tinyint(1)' },
      { name: 'many', type: 'bit' },
      { name: 'at', type: 'datetime' },
    ],
  ])
})

test('JSON that names a key twice comes as its text, rather than losing one of the two', async () => {
  const { bodyOf } = createTestProcedures(database.connection)
  expect(await bodyOf('doubtful')).toContain('[{"good":{"a":1},"twice":"{\\"a\\":1,\\"a\\":2}"}]')
})
