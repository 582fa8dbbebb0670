import { expect, test } from 'vitest'
import { isOpenAtFirst, nextLine, pagesOf, treeRows } from './tree-rows.ts'

const api = (id: number, found_count: number) => ({
  id,
  name: `Api ${id}`,
  endpoints_count: 500,
  held_count: 0,
  found_count,
})
const places = (rows: ReturnType<typeof treeRows>) =>
  rows.map(({ api, at }) => (at === undefined ? `${api.id}` : `${api.id}.${at}`))

test('an open API is followed by a line for each endpoint that was found', () => {
  const apis = [api(1, 2), api(2, 3)]
  expect(places(treeRows(apis, false, new Set()))).toEqual(['1', '2'])
  expect(places(treeRows(apis, false, new Set([1])))).toEqual(['1', '1.0', '1.1', '2'])
  expect(places(treeRows(apis, true, new Set([1])))).toEqual(['1', '2', '2.0', '2.1', '2.2'])
})

test('a short tree is open, and so is what a search finds', () => {
  expect(isOpenAtFirst([api(1, 30), api(2, 30)], '')).toBe(true)
  expect(isOpenAtFirst([api(1, 31), api(2, 30)], '')).toBe(false)
  expect(isOpenAtFirst([api(1, 400)], 'invoice')).toBe(true)
})

test('keys stay within the tree', () => {
  const rows = treeRows([api(1, 0), api(2, 0), api(3, 0)], false, new Set())
  expect(nextLine(rows, 1, 'ArrowDown', 10)).toBe(2)
  expect(nextLine(rows, 2, 'ArrowDown', 10)).toBe(2)
  expect(nextLine(rows, 0, 'ArrowUp', 10)).toBe(0)
  expect(nextLine(rows, 0, 'PageDown', 2)).toBe(2)
  expect(nextLine(rows, 1, 'End', 10)).toBe(2)
  expect(nextLine(rows, 2, 'Home', 10)).toBe(0)
  expect(nextLine(rows, 1, 'x', 10)).toBeUndefined()
})

test('only pages that hold a line in sight are needed', () => {
  const rows = treeRows([api(1, 500), api(2, 3)], true, new Set())
  expect(pagesOf(rows.slice(95, 105), 100)).toEqual([
    { api: 1, page: 1 },
    { api: 1, page: 2 },
  ])
  expect(pagesOf(rows.slice(-4), 100)).toEqual([{ api: 2, page: 1 }])
  expect(pagesOf(rows.slice(0, 1), 100)).toEqual([])
})
