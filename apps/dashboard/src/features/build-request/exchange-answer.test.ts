import { stringifyExact } from '@gatehouse/contract/mapping'
import { expect, test } from 'vitest'
import { readExchange } from './mapping-engine.ts'

const run = '{"id":7,"state":"succeeded","steps":[{"position":1,"status":200,"duration_ms":1.5}]}'

test('the data keeps its numbers as they came, the run has plain ones', () => {
  const data = '{"id":12345678901234567890,"price":0.10,"huge":1E400}'
  const answer = readExchange(`{"message":"Fetched.","data":${data},"run":${run}}`)
  expect(stringifyExact(answer.data)).toBe(data)
  expect(answer.message).toBe('Fetched.')
  expect(answer.run).toMatchObject({ id: 7, steps: [{ status: 200, duration_ms: 1.5 }] })
})

test('data as deep as a mapping may be is read', () => {
  const data = `${'['.repeat(32)}1${']'.repeat(32)}`
  expect(stringifyExact(readExchange(`{"data":${data}}`).data)).toBe(data)
})

test('an answer without data or run has null and none', () => {
  expect(readExchange('{"message":"Sent."}')).toEqual({
    message: 'Sent.',
    data: null,
    run: undefined,
  })
})

test('a text that is no answer throws', () => {
  expect(() => readExchange('<html>')).toThrow(/not valid JSON/)
  expect(() => readExchange('[]')).toThrow(/not an object/)
})
