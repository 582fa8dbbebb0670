// Databases: SQLite.

import { parseExact, stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'
import { mergePick, parseDependencyField, pickFields } from '../dependency-pick.ts'
import { fillPlaceholders } from '../placeholders.ts'
import { SizeBudget } from './size-budget.ts'
import { readSource, resolveBody } from './step-body.ts'

const large = 'x'.repeat(400_000)
const refused = { ok: false, message: expect.stringContaining('larger than 5 MiB') }

describe('values of more than 5 MiB are refused before they are put together', () => {
  it.each([
    ['as values', Array.from({ length: 60 }, () => '{{steps.1.body.a}}')],
    ['in texts', Array.from({ length: 60 }, () => 'a {{steps.1.body.a}}')],
    ['in one text', '{{steps.1.body.a}} '.repeat(60)],
    ['as keyed values', { a: { b: Array.from({ length: 60 }, () => '{{steps.1.body}}') } }],
  ])('by placeholders %s: no further one is looked at', (_name, body) => {
    let asked = 0
    const answerOf = () => {
      asked++
      return { a: large }
    }
    expect(fillPlaceholders(body as ExactJson, 2, answerOf)).toEqual(refused)
    expect(asked).toBe(14)
  })

  it('by an object that goes into each element of a list', () => {
    const body = Array.from({ length: 20 }, () => ({}))
    expect(mergePick(body, { a: large })).toEqual(refused)
    expect(mergePick(body.slice(0, 10), { a: large })).toMatchObject({ ok: true })
  })

  it('by one field of an answer that is picked under many names', () => {
    const names = Array.from({ length: 20 }, (_, index) => `a:a${index}`)
    const read = readSource(2, '', names.join(','))
    if (!read.ok) throw new Error(read.message)
    expect(resolveBody(read.source, () => ({ a: large }))).toEqual(refused)
  })

  it('by many elements of an answer', () => {
    const parsed = parseDependencyField('a, a:b, a:c')
    if (!parsed.ok) throw new Error(parsed.message)
    const answer = Array.from({ length: 10 }, () => ({ a: large }))
    expect(pickFields(answer, parsed.fields)).toEqual(refused)
  })

  it('together with what was typed', () => {
    const typed = JSON.stringify({ typed: 'y'.repeat(5_000_000), a: '{{steps.1.body.a}}' })
    const read = readSource(2, typed, null)
    if (!read.ok) throw new Error(read.message)
    expect(resolveBody(read.source, () => ({ a: large }))).toEqual(refused)
  })
})

it('takes what comes to 5 MiB, to the byte, as JSON', () => {
  const fits = (value: ExactJson) => new SizeBudget().take(value)
  const limit = 5 * 1024 * 1024
  expect(fits('x'.repeat(limit - 2))).toBe(true)
  expect(fits('x'.repeat(limit - 1))).toBe(false)
  expect(fits('"'.repeat(limit / 2))).toBe(false)
  expect(fits('é'.repeat(limit / 2))).toBe(false)
})

it('counts at least what the JSON of a value has in bytes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (each) => {
      const value = parseExact(JSON.stringify(each))
      const budget = new SizeBudget()
      // As often as it may fit at most, and once more.
      const times = Math.floor((5 * 1024 * 1024) / Buffer.byteLength(stringifyExact(value))) + 1
      expect(budget.take(value, times)).toBe(false)
    }),
  )
})

describe('a run', () => {
  let app: RunServer
  beforeAll(async () => {
    app = await startRunServer()
  })
  afterAll(() => app.close())

  it('blocks the step whose values are too large, and sends nothing of it', async () => {
    const [first, second] = [await app.endpoint(), await app.endpoint()]
    app.answer(json(200, { a: large }))
    const body = JSON.stringify(Array.from({ length: 20 }, () => '{{steps.1.body.a}}'))
    const sent = await app.tax([
      { end_point: first, body: '{}' },
      { end_point: second, body },
    ])
    expect(runOf(sent)).toMatchObject({
      steps: [
        { state: 'succeeded' },
        { state: 'blocked', message: expect.stringContaining('larger than 5 MiB') },
      ],
    })
    expect(app.upstream.received).toHaveLength(1)
  })
})
