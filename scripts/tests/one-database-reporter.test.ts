import { expect, it } from 'vitest'
import { statementsOnOneDatabase } from './one-database-reporter.mjs'
import { statementKeys } from './statement-keys.mjs'

it('finds what runs on SQLite alone', () => {
  const files = [
    { file: 'one.test.ts', statements: ['select user', 'update user.name'] },
    { file: 'other.test.ts', statements: ['select user'] },
  ]
  expect(statementsOnOneDatabase(files, new Set(['one.test.ts']))).toEqual([
    { file: 'one.test.ts', statement: 'update user.name' },
  ])
  expect(statementsOnOneDatabase(files, new Set(['other.test.ts']))).toEqual([])
})

it.each([
  [
    'select "id" from "user" inner join "role" on "a" = "b" limit ?',
    ['select user', 'select role'],
  ],
  [
    'insert into "user" ("name", "at") values (?, ?), (?, ?)',
    ['insert user.name', 'insert user.at'],
  ],
  ['update "user" set "name" = ?, "at" = ? where "id" = ?', ['update user.name', 'update user.at']],
  ['delete from "user" where "id" in (?, ?)', ['delete user']],
  ['begin immediate', []],
  ['PRAGMA foreign_keys = on', []],
])('sees of a plain statement its tables or columns: %s', (sql, keys) => {
  expect(statementKeys(sql)).toEqual(keys)
})

it.each([
  [
    'select lower("name") from "user" where "id" in (?, ?, ?)',
    'select lower("name") from "user" where "id" in (?)',
  ],
  [
    'insert into "a" ("b") values (?), (?) on conflict do nothing',
    'insert into "a" ("b") values (?) on conflict do nothing',
  ],
  ['-- refused: delete from "user"', '-- refused: delete from "user"'],
])('keeps any other, but for the length of its lists: %s', (sql, key) => {
  expect(statementKeys(sql)).toEqual([key])
})
