import { expect, it } from 'vitest'
import { forwardedAddress } from './forwarded-address.ts'

it.each<[string, string | undefined]>([
  ['8.8.8.8', '8.8.8.8'],
  [' 8.8.8.8 ', '8.8.8.8'],
  ['8.8.8.8:1234', '8.8.8.8'],
  ['"8.8.8.8"', '8.8.8.8'],
  ['"8.8.8.8:1234"', '8.8.8.8'],
  ['2001:db8::1', '2001:db8:0:0:0:0:0:1'],
  ['[2001:db8::1]', '2001:db8:0:0:0:0:0:1'],
  ['[2001:DB8:0::1]:443', '2001:db8:0:0:0:0:0:1'],
  ['"[2001:db8::1]:443"', '2001:db8:0:0:0:0:0:1'],
  ['_hidden', undefined],
  ['unknown', undefined],
  ['', undefined],
  ['8.8.8.8:', undefined],
  ['8.8.8.8:x', undefined],
  ['[8.8.8.8', undefined],
  ['"8.8.8.8', undefined],
])('an entry %j of X-Forwarded-For is read as %s', (entry, address) => {
  expect(forwardedAddress(entry)).toBe(address)
})
