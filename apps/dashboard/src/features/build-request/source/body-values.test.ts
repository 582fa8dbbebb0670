import { expect, test } from 'vitest'
import { choices } from '../../../testing/build-request-screen.ts'
import { bodyValues, withBodyValue } from './body-values.ts'

const [order, invoice] = choices

test('the parameters of the path have inputs, and the other fields of a GET as its query', () => {
  expect(bodyValues(order, '')).toEqual([{ name: 'id', place: 'path', text: '' }])
  expect(bodyValues(order, '{"page": 2, "id": 12345678901234567890}')).toEqual([
    { name: 'id', place: 'path', text: '12345678901234567890' },
    { name: 'page', place: 'query', text: '2' },
  ])
  expect(bodyValues(invoice, '{"total": 1}')).toEqual([])
})

test.each(['{"id": [1]}', '[1]', '{"id":', `{"id": "${'x'.repeat(20_000)}"}`])(
  'a body that inputs can’t show has none: %#',
  (body) => expect(bodyValues(order, body)).toBeUndefined(),
)

test('a value is written as it would be typed, and nothing is left of the last one', () => {
  expect(withBodyValue('', 'id', '7')).toBe('{"id":7}')
  expect(withBodyValue('{"a": 1.10}', 'id', '007')).toBe('{"a":1.10,"id":"007"}')
  expect(withBodyValue('{"id":7}', 'id', undefined)).toBe('')
})
