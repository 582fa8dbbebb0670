import { expect, test } from 'vitest'
import { changesOf, compareChanges, isSameValue, withChanges } from './compare-values.ts'

const base = { name: 'a', tls: { ca: '', mode: 'none' }, rows: [{ id: 'row-1', from: 'x' }] }

test('fields of nested objects are compared one by one, lists as a whole', () => {
  const mine = { ...base, tls: { ca: 'PEM', mode: 'none' }, rows: [{ id: 'row-9', from: 'y' }] }
  expect(changesOf(base, mine).map(({ path }) => path)).toEqual(['tls.ca', 'rows'])
})

test('what only tells rows apart is no change', () => {
  expect(isSameValue(base.rows, [{ id: 'row-7', from: 'x' }])).toBe(true)
  expect(isSameValue([{ id: 1 }], [{ id: 2 }])).toBe(false)
})

test('both, only they, only the user, and both alike', () => {
  const mine = { ...base, name: 'mine', tls: { ca: 'mine', mode: 'pem' } }
  const theirs = { ...base, name: 'theirs', tls: { ca: '', mode: 'pem' }, rows: [] }
  const { clashes, ...others } = compareChanges(changesOf(base, mine), base, theirs)
  expect(clashes).toEqual([{ path: 'name', base: 'a', mine: 'mine', theirs: 'theirs' }])
  expect(others.mine.map(({ path }) => path)).toEqual(['tls.ca'])
  expect(others.theirs.map(({ path }) => path)).toEqual(['rows'])
})

test('changes are put on top of what the record has become', () => {
  const changes = changesOf(base, { ...base, tls: { ca: 'mine', mode: 'none' } })
  expect(withChanges({ ...base, name: 'theirs' }, changes)).toEqual({
    ...base,
    name: 'theirs',
    tls: { ca: 'mine', mode: 'none' },
  })
})
