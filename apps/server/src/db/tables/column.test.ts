import { expect, test } from 'vitest'
import {
  flag,
  generatedNumber,
  json,
  jsonOrNull,
  readRow,
  text,
  writeRow,
  type TableOf,
} from './column.ts'

const form = { name: text, is_on: flag, days: json<number[]>(), only: jsonOrNull<{ a: 1 }>() }
const table = { id: generatedNumber, ...form, secret: text }
type Row = TableOf<typeof table>

const stored = {
  id: 1 as never,
  name: 'A',
  is_on: 1,
  days: '[1,2]',
  only: null,
  secret: 's',
} as const

test('columns are read as what they mean, and no other column is', () => {
  const row: Row = stored
  expect(readRow(form, row)).toEqual({ name: 'A', is_on: true, days: [1, 2], only: null })
  expect(readRow(form, { ...row, is_on: 0, only: '{"a":1}' })).toMatchObject({
    is_on: false,
    only: { a: 1 },
  })
})

test('what is given is written as the database holds it, and nothing else of it', () => {
  const given = { name: 'A', is_on: true, days: [1, 2], only: null, version: 3 }
  expect(writeRow(form, given)).toEqual({ name: 'A', is_on: 1, days: '[1,2]', only: null })
  expect(writeRow(form, { ...given, is_on: false, only: { a: 1 } })).toMatchObject({
    is_on: 0,
    only: '{"a":1}',
  })
})

test('a column that is not given does not compile', () => {
  // @ts-expect-error: `days` and `only` are missing.
  const written = writeRow(form, { name: 'A', is_on: true })
  expect(written).toMatchObject({ name: 'A', is_on: 1 })
})
