import { expect, test } from 'vitest'
import { createTestDatabase, createTestProcedures, failed } from '../../testing/mariadb.ts'

const database = await createTestDatabase([
  'CREATE TABLE victim (id INT)',
  'INSERT INTO victim VALUES (1)',
  'CREATE PROCEDURE echo(IN v TEXT, INOUT w TEXT) NO SQL SELECT v AS v',
  'CREATE PROCEDURE harmless() NO SQL SELECT 1 AS one',
  'CREATE PROCEDURE `x``; DROP TABLE victim; --`(IN `a``; DROP TABLE victim; --` TEXT) NO SQL SELECT 1 AS one',
])
await database.admin(`GRANT ALL ON ${database.name}.* TO ${database.name}@'%'`)

const attacks = [
  "'; DROP TABLE victim; -- ",
  "\\'; DROP TABLE victim; -- ",
  "' OR '1'='1",
  "'); DELETE FROM victim; -- ",
  '"; DROP TABLE victim; -- ',
  '`; DROP TABLE victim; -- ',
  '/*! DROP TABLE victim */',
  '\u0000\u001a\n\r\\%_',
  "縗\\'; DROP TABLE victim; -- ",
  "\u00bf'; DROP TABLE victim; -- ",
  '@gatehouse_1 := (SELECT id FROM victim)',
  '?',
  '${7*7} {{x}} :v @v',
]

async function expectUnharmed() {
  expect(await database.admin('SELECT id FROM victim')).toEqual([{ id: 1 }])
}

test.each(attacks)('as a value it is text and nothing else: %j', async (attack) => {
  const { bodyOf } = createTestProcedures(database.connection)
  const text = JSON.stringify(attack)
  expect(await bodyOf('echo', { v: attack, w: attack })).toContain(
    `[[{"v":${text}}]],"output":{"w":${text}}`,
  )
  await expectUnharmed()
})

test.each([
  ...attacks,
  'harmless(); DROP TABLE victim; -- ',
  'harmless`(); DROP TABLE victim; -- ',
  '`harmless`; DROP TABLE victim',
  "x' UNION SELECT 'harmless",
  'information_schema.harmless',
])('as the name of a procedure it names nothing: %j', async (attack) => {
  const { call } = createTestProcedures(database.connection)
  for (const name of [attack, `${database.name}.${attack}`, `${attack}.harmless`]) {
    expect(failed(await call(name))).toMatchObject({ code: 'procedure.not_found', isSent: false })
  }
  await expectUnharmed()
})

test.each(attacks)('as the name of a parameter it is unknown: %j', async (attack) => {
  const { call } = createTestProcedures(database.connection)
  const answer = failed(await call('echo', { v: 'a', w: 'b', [attack]: 'c' }))
  expect(answer).toMatchObject({ code: 'procedure.parameters', isSent: false })
  expect(Object.keys(answer.fields ?? {})).toEqual([attack])
  await expectUnharmed()
})

test('names in the catalogue that look like attacks are only names', async () => {
  const { bodyOf } = createTestProcedures(database.connection)
  const name = 'x`; DROP TABLE victim; --'
  expect(await bodyOf(name, { 'a`; DROP TABLE victim; --': 'v' })).toContain('[[{"one":1}]]')
  await expectUnharmed()
})

test.each(attacks.filter((attack) => !attack.includes('\u0000')))(
  'as database or user name it signs nobody in: %j',
  async (attack) => {
    for (const change of [{ database: attack }, { username: attack }, { password: attack }]) {
      const { call } = createTestProcedures({ ...database.connection, ...change })
      expect(failed(await call('harmless'))).toMatchObject({
        code: 'procedure.sign_in',
        status: 502,
        isSent: false,
      })
    }
    await expectUnharmed()
  },
)
