import { expect, test } from 'vitest'
import { buildAccessEndpoint } from '../../testing/admin-builders.ts'
import {
  countChosen,
  countOfApi,
  isChosen,
  noEdit,
  toDifference,
  toggleApi,
  toggleEndpoint,
} from './endpoint-edit.ts'

const held = { ...buildAccessEndpoint(1), is_held: true }
const other = { ...buildAccessEndpoint(2), is_held: false }
const api = { id: held.api_id, name: 'Orders', endpoints_count: 3, held_count: 1 }

test('an endpoint that is chosen and left again leaves no edit', () => {
  const edit = toggleEndpoint(noEdit, other)
  expect(isChosen(edit, other)).toBe(true)
  expect(toDifference(edit)).toEqual({ add: [2], remove: [], add_apis: [], remove_apis: [] })
  expect(toggleEndpoint(edit, other)).toEqual(noEdit)
  const without = toggleEndpoint(noEdit, held)
  expect(toDifference(without).remove).toEqual([1])
  expect(toggleEndpoint(without, held)).toEqual(noEdit)
})

test('a whole API is one entry, from which single endpoints may be left', () => {
  const edit = toggleApi(toggleEndpoint(noEdit, other), api)
  expect(toDifference(edit)).toEqual({ add: [], remove: [], add_apis: [api.id], remove_apis: [] })
  expect(countOfApi(edit, api)).toBe(3)
  expect(countChosen(edit, 10)).toBe(12)
  const less = toggleEndpoint(edit, held)
  expect([isChosen(less, held), isChosen(less, other)]).toEqual([false, true])
  expect(countChosen(less, 10)).toBe(11)
  expect(toggleApi(toggleApi(less, api), api)).toEqual({
    ...noEdit,
    removeApis: [api],
  })
})

test('an API that the role has as a whole is taken as a whole', () => {
  const whole = { ...api, held_count: 3 }
  const edit = toggleApi(noEdit, whole)
  expect(toDifference(edit).remove_apis).toEqual([api.id])
  expect(countChosen(edit, 10)).toBe(7)
  expect(isChosen(edit, held)).toBe(false)
  expect(isChosen(toggleEndpoint(edit, held), held)).toBe(true)
  expect(toggleApi(edit, whole)).toEqual(noEdit)
})
