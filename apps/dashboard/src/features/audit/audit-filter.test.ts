import { expect, test } from 'vitest'
import { isFiltered, readAuditFilter, toAuditQuery } from './audit-filter.ts'

const read = (address: string) => readAuditFilter(new URLSearchParams(address))

test('an address without filters narrows nothing down', () => {
  expect(isFiltered(read('?page=2&search=x'))).toBe(false)
  expect(toAuditQuery(read(''))).toEqual({})
})

test('a link to the history of a record filters by thing and id', () => {
  const filter = read('?thing=api&thing_id=7')
  expect(isFiltered(filter)).toBe(true)
  expect(toAuditQuery(filter)).toEqual({ thing: 'api', thing_id: 7 })
})

test.each([
  '?thing=planet',
  '?thing_id=7',
  '?outcome=maybe',
  '?from=yesterday',
  '?to=2026-13-01',
  '?actor=%20&action=',
])('what the trail cannot be narrowed down by is ignored: %s', (address) => {
  expect(toAuditQuery(read(address))).toEqual({})
})

test.each(['0', '-1', '1.5', 'x', '99999999999999999999'])('%s is no id', (id) => {
  expect(toAuditQuery(read(`?thing=api&thing_id=${id}`))).toEqual({ thing: 'api' })
})

test('days are whole days of the reader’s own time zone', () => {
  const query = toAuditQuery(read('?from=2026-01-31&to=2026-02-01'))
  expect(new Date(query.from!)).toEqual(new Date(2026, 0, 31))
  expect(new Date(query.to!)).toEqual(new Date(2026, 1, 1, 23, 59, 59, 999))
})
