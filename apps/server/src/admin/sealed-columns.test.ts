import { expect, it } from 'vitest'
import { tables } from '../db/tables.ts'
import { sealedColumns } from './sealed-columns.ts'

/** Columns with such a name that hold no secret of the servers' key. */
const notSealed = new Set<string>([])

it('a rotation of the key knows every column whose name says that it holds a secret', () => {
  const known = new Set(
    sealedColumns.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
  )
  const named = Object.entries(tables).flatMap(([table, columns]) =>
    Object.keys(columns)
      .filter((column) => /(_encrypted|_seal|^secret|_secret)$/.test(column))
      .map((column) => `${table}.${column}`),
  )
  expect(named.length).toBeGreaterThan(10)
  for (const column of named)
    expect(known.has(column) || notSealed.has(column), `${column} is forgotten`).toBe(true)
  expect([...known].filter((column) => !named.includes(column))).toEqual([])
})
