import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const place = { table: 'api', row: 1, field: 'password' }
const box = createSecretBox(randomBytes(32))

it.each(['', 'secret', 'ключ 🔑', 'x'.repeat(8192)])('opens what it sealed: %#', (plain) => {
  expect(box.open(box.seal(plain, place), place)).toBe(plain)
})

it('never makes the same text twice', () => {
  expect(box.seal('secret', place)).not.toBe(box.seal('secret', place))
})

it.each([
  { ...place, table: 'endpoint' },
  { ...place, row: 2 },
  { ...place, field: 'upstream_token' },
])('opens in no other place: %j', (other) => {
  const sealed = box.seal('secret', place)
  expect(() => box.open(sealed, other)).toThrow()
})

it('opens with no other key, and nothing that was changed', () => {
  const sealed = box.seal('secret', place)
  expect(() => createSecretBox(randomBytes(32)).open(sealed, place)).toThrow()
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => box.open(`v1.${changed.toString('base64')}`, place)).toThrow()
  }
  expect(() => box.open(sealed.replace('v1.', 'v2.'), place)).toThrow()
})
