import { expect, it } from 'vitest'
import { Canary, shareOf } from './canary.ts'
import type { CanaryCall } from './canary.ts'

const settings = {
  url: 'http://canary.test',
  header_name: 'X-Canary',
  header_value: 'yes',
  token_ids: [7],
  percent: 0,
  sticky_by: 'token' as const,
  sticky_header: '',
}
const call: CanaryCall = { tokenId: null, quotaKey: null, address: '192.0.2.1', rawHeaders: [] }

it.each<[string, Partial<CanaryCall>, string | null]>([
  ['the header, in any case', { rawHeaders: ['x-cAnary', 'yes'] }, 'header'],
  ['another value of it', { rawHeaders: ['x-canary', 'Yes'] }, null],
  ['the value under another name', { rawHeaders: ['x-other', 'yes'] }, null],
  ['one of two headers', { rawHeaders: ['x-canary', 'no', 'X-Canary', 'yes'] }, 'header'],
  ['a chosen token', { tokenId: 7 }, 'token'],
  ['another token', { tokenId: 8 }, null],
  ['no token', {}, null],
])('%s', (_name, parts, choice) => {
  expect(new Canary(1, settings).choose({ ...call, ...parts })).toBe(choice)
})

it('a header without a name leads nowhere', () => {
  const canary = new Canary(1, { ...settings, header_name: '', header_value: '' })
  expect(canary.choose({ ...call, rawHeaders: ['x', ''] })).toBeNull()
})

const clients = Array.from({ length: 20_000 }, (_, at) => `192.0.${at >> 8}.${at & 255}`)

it.each([1, 10, 50, 100])('of many clients about %d percent get the canary', (percent) => {
  const canary = new Canary(1, { ...settings, percent })
  const chosen = clients.filter((address) => canary.choose({ ...call, address }) === 'share')
  const expected = (clients.length * percent) / 100
  // Five standard deviations; the clients are always the same, and so is the count.
  const slack = 5 * Math.sqrt((expected * (100 - percent)) / 100)
  expect(Math.abs(chosen.length - expected)).toBeLessThanOrEqual(slack)
})

it('a client that has the canary keeps it when the share grows', () => {
  const small = new Canary(1, { ...settings, percent: 5 })
  const large = new Canary(1, { ...settings, percent: 20 })
  const before = clients.filter((address) => small.choose({ ...call, address }) !== null)
  expect(before.length).toBeGreaterThan(0)
  expect(before.every((address) => large.choose({ ...call, address }) !== null)).toBe(true)
})

it('what tells clients apart: the caller, the address or a header, and the address where that is missing', () => {
  const chosen = (sticky_by: 'token' | 'address' | 'header', parts: Partial<CanaryCall>) =>
    clients.slice(0, 200).map((address) =>
      new Canary(1, { ...settings, percent: 50, sticky_by, sticky_header: 'X-Till' }).choose({
        ...call,
        address,
        ...parts,
      }),
    )
  const kinds = (choices: unknown[]) => new Set(choices).size
  expect(kinds(chosen('token', { quotaKey: 'u4' }))).toBe(1)
  expect(kinds(chosen('header', { rawHeaders: ['x-till', '12'] }))).toBe(1)
  expect(chosen('token', {})).toEqual(chosen('address', {}))
  expect(chosen('header', {})).toEqual(chosen('address', { quotaKey: 'u4' }))
  expect(kinds(chosen('address', {}))).toBe(2)
})

it('the share of a text never changes', () => {
  expect([shareOf(''), shareOf('1:a192.0.2.1'), shareOf('1:u4')].map(Math.floor)).toEqual([
    66, 79, 66,
  ])
})
