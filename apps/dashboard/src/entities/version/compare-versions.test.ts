import { expect, test } from 'vitest'
import { compareVersions } from './compare-versions.ts'

const same = (text: string) => ({ text, isDifferent: false })
const other = (text: string) => ({ text, isDifferent: true })

test('fields that differ come first, and only what differs is marked', () => {
  const fields = compareVersions({ name: 'Orders', port: 1433 }, { name: 'Orders', port: 1434 })
  expect(fields).toEqual([
    { name: 'port', before: [other('1433')], after: [other('1434')], isDifferent: true },
    { name: 'name', before: [same('Orders')], after: [same('Orders')], isDifferent: false },
  ])
})

test('in a list only the members that came or went are marked', () => {
  const [field] = compareVersions({ roles: ['a', 'b'] }, { roles: ['b', 'c'] })
  expect(field?.before).toEqual([other('a'), same('b')])
  expect(field?.after).toEqual([same('b'), other('c')])
})

test('a record that was created or deleted has one side only', () => {
  expect(compareVersions(null, { name: 'Orders' })).toEqual([
    { name: 'name', before: [], after: [other('Orders')], isDifferent: true },
  ])
  expect(compareVersions({ name: 'Orders' }, null)).toEqual([
    { name: 'name', before: [other('Orders')], after: [], isDifferent: true },
  ])
})

test.each([
  [null, ['none']],
  ['', ['blank']],
  [[], ['none']],
  [false, ['false']],
  ['two\nlines', ['two', 'lines']],
  [{ a: 1 }, ['{', '  "a": 1', '}']],
])('the value %j reads %j', (value, lines) => {
  const [field] = compareVersions(null, { value })
  expect(field?.after.map(({ text }) => text)).toEqual(lines)
})

test('steps and lines in another order differ', () => {
  const [steps] = compareVersions({ steps: [{ a: 1 }, { a: 2 }] }, { steps: [{ a: 2 }, { a: 1 }] })
  expect(steps?.isDifferent).toBe(true)
  const [text] = compareVersions({ text: 'one\ntwo' }, { text: 'two\none' })
  expect(text?.before).toEqual([other('one'), other('two')])
})

test('a member that is taken twice is not mistaken for a change of order', () => {
  const [field] = compareVersions({ roles: ['a', 'b'] }, { roles: ['b', 'a'] })
  expect(field?.isDifferent).toBe(false)
})
