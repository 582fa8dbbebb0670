import { describe, expect, test } from 'vitest'
import { createMappingEngine, answerCall } from './mapping-engine.ts'

const row = { from: 'id', to: 'n', custom_input: '', type: 'auto' }
const answerOf = (data: string) => `{"message":"Fetched.","data":${data},"run":null}`

describe('the engine', () => {
  test('maps from the data of the last answer that it was told to keep', () => {
    const engine = createMappingEngine()
    expect(engine.map([row]).needsData).toBe(true)
    engine.read(answerOf('{"id":12345678901234567890}'), true)
    engine.read(answerOf('{"id":2}'), false)
    expect(engine.map([row]).text).toBe('{\n  "n": 12345678901234567890\n}')
  })

  test('before anything is fetched, rows are blamed only for what is wrong with any data', () => {
    const engine = createMappingEngine()
    const rows = [
      { from: 'price', to: 'total', custom_input: 'none', type: 'number' },
      { from: 'items[*].sku', to: 'lines[*].sku', custom_input: '', type: 'string?' },
      { from: 'items[*].tax', to: 'lines[*].tax', custom_input: '0', type: 'string' },
      { from: 'a[', to: 'b', custom_input: '', type: 'string' },
      { from: 'a', to: 'b[', custom_input: '', type: 'string' },
      { from: 'a', to: 'b', custom_input: '', type: 'money' },
      { from: '', to: 'd', custom_input: 'none', type: 'number' },
    ]
    const { text, errors, needsData } = engine.map(rows)
    expect({ text, needsData }).toEqual({ text: '', needsData: true })
    expect(errors.map((error) => [error.row, error.field])).toEqual([
      [3, 'from'],
      [4, 'to'],
      [5, 'type'],
      [6, 'custom_input'],
    ])
  })

  test('hands out an answer pretty-printed and in one line, its numbers as they came', () => {
    expect(createMappingEngine().read(answerOf('{ "a":[0.10] }'), false)).toEqual({
      message: 'Fetched.',
      run: undefined,
      text: '{\n  "a": [\n    0.10\n  ]\n}',
      json: '{"a":[0.10]}',
      plain: undefined,
    })
  })

  test('an answer that was not JSON has its plain text', () => {
    expect(createMappingEngine().read(answerOf('"thanks"'), false).plain).toBe('thanks')
  })

  test.each([
    ['', false],
    ['{"a": 1}', false],
    ['[]', false],
    ['[{"to": "a", "from": "b"}]', true],
  ])('says whether the body %j is rows', (body, isRows) => {
    expect(createMappingEngine().check(body)).toEqual({ isRows, problem: undefined })
  })

  test.each([
    ['[{"to": "a"', 1, 12],
    ['{"a": 1,\n"a": 2}', 2, 1],
  ])('says where the body %j is no JSON', (body, line, column) => {
    expect(createMappingEngine().check(body)).toMatchObject({
      isRows: false,
      problem: { line, column, message: expect.stringContaining(`line ${line}`) },
    })
  })
})

test('a text that is no answer comes back as a message, not as an exception', () => {
  const engine = createMappingEngine()
  expect(answerCall(engine, { kind: 'read', answerText: '<html>', keep: true })).toEqual({
    kind: 'failed',
    message: expect.stringContaining('not valid JSON'),
  })
  expect(engine.map([row]).needsData).toBe(true)
})
