import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mappingTypes } from './convert-value.ts'
import { emptyObject, isLosslessNumber, LosslessNumber, parseExact } from './exact/exact-json.ts'
import { stringifyExact } from './exact/exact-json.ts'
import type { ExactJson } from './exact/exact-json.ts'
import { isDeeperThan, jsonSize } from './exact/json-bounds.ts'
import { mapData } from './map-data.ts'
import { looksLikeMappingRows, toMappingRows } from './mapping-rows.ts'
import type { MappingRow } from './mapping-rows.ts'
import { parsePath } from './paths/parse-path.ts'
import { pathOfValue, pathText } from './paths/path-segments.ts'
import { readPath } from './paths/read-path.ts'

// Few names, so that paths meet the data often; most of the others have bitten somebody.
const names = [
  'a',
  'b',
  '0',
  '',
  'k.ey',
  "it's",
  '__proto__',
  'constructor',
  'prototype',
  'toString',
]
const name = fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 4 }))
const number = fc
  .constantFrom('0', '-0', '5', '1.5', '0.10', '12345678901234567890', '1E400', '1e-7')
  .map((text) => new LosslessNumber(text))

const json = fc.letrec<{ value: ExactJson }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(fc.constantFrom(null, true, false, 'true', '5', '[1.0]'), number, name),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((members) => Object.assign(emptyObject(), Object.fromEntries(members))),
  ),
})).value

const pathParts = `a b .a .b [0] [1] [-1] [*] $ . [ ] [' '] .__proto__ .constructor .prototype
  ['__proto__'] ['k.ey'] ["it's"] [9999] [10000] .. * ? \\`.split(/\s+/)
const pathSoup = fc
  .array(fc.constantFrom(...pathParts, ' ', '\u0000', '\ud800'), { maxLength: 7 })
  .map((parts) => parts.join(''))
// Sound more often than not, so that the rows do something.
const soundPath = fc
  .array(fc.constantFrom('.a', '.b', '[0]', '[1]', '[*]', "['k.ey']", '.toString'), {
    maxLength: 4,
  })
  .map((parts) => `$${parts.join('')}`)
const path = fc.oneof(
  { weight: 6, arbitrary: soundPath },
  { weight: 2, arbitrary: pathSoup },
  fc.string({ unit: 'binary' }),
)
const customInput = fc.oneof(
  fc.constantFrom(
    '',
    '',
    ' ',
    '5',
    'true',
    '0.10',
    '[]',
    '{"__proto__":{"p":1}}',
    '[{"a":1}]',
    '{',
  ),
  fc.string(),
)
const row: fc.Arbitrary<MappingRow> = fc.record({
  from: path,
  to: path,
  custom_input: customInput,
  type: fc.oneof(fc.constantFrom('', ...mappingTypes), fc.string({ maxLength: 3 })),
})
const rows = fc.array(row, { maxLength: 12 })

/** All objects and lists in a value. */
function containersIn(value: ExactJson): object[] {
  if (value === null || typeof value !== 'object' || isLosslessNumber(value)) return []
  return [value, ...Object.values(value).flatMap(containersIn)]
}

const runs = { numRuns: 2000 }

describe('whatever the data and the rows', () => {
  it('the preview and the server agree: text in, the same text out', () => {
    fc.assert(
      fc.property(json, rows, (source, rows) => {
        const text = stringifyExact(source)
        const preview = mapData(parseExact(text), rows)
        const server = mapData(parseExact(stringifyExact(parseExact(text), 2)), rows)
        expect(server.errors).toEqual(preview.errors)
        expect(stringifyExact(server.mapped)).toBe(stringifyExact(preview.mapped))
      }),
      runs,
    )
  })

  it('rows survive the trip through JSON text', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const sent = parseExact(JSON.stringify(rows))
        expect(looksLikeMappingRows(sent)).toBe(true)
        expect(toMappingRows(sent)).toEqual({ rows, errors: [] })
      }),
    )
  })

  it('the source is never changed', () => {
    fc.assert(
      fc.property(json, rows, (source, rows) => {
        const before = stringifyExact(source)
        for (const container of containersIn(source)) Object.freeze(container)
        mapData(source, rows)
        expect(stringifyExact(source)).toBe(before)
      }),
      runs,
    )
  })

  it('no prototype is reached, and none is left on what was built', () => {
    const objectKeys = Reflect.ownKeys(Object.prototype)
    const arrayKeys = Reflect.ownKeys(Array.prototype)
    fc.assert(
      fc.property(json, rows, (source, rows) => {
        const { mapped } = mapData(source, rows)
        for (const container of containersIn(mapped)) {
          const expected = Array.isArray(container) ? Array.prototype : null
          expect(Object.getPrototypeOf(container)).toBe(expected)
        }
        expect(Reflect.ownKeys(Object.prototype)).toEqual(objectKeys)
        expect(Reflect.ownKeys(Array.prototype)).toEqual(arrayKeys)
      }),
      runs,
    )
  })

  it('the result is JSON within the limits, and mapping it whole changes nothing', () => {
    fc.assert(
      fc.property(json, rows, (source, rows) => {
        const { mapped } = mapData(source, rows)
        const text = stringifyExact(mapped)
        expect(stringifyExact(parseExact(text))).toBe(text)
        expect(jsonSize(mapped, Infinity)).toBe(new TextEncoder().encode(text).length)
        expect(isDeeperThan(mapped, 32)).toBe(false)
        const whole = { from: '$', to: '$', custom_input: '', type: '' }
        expect(stringifyExact(mapData(mapped, [whole]).mapped)).toBe(text)
      }),
      runs,
    )
  })

  it('mapData never throws, and its errors name an existing row and say something', () => {
    fc.assert(
      fc.property(json, rows, (source, rows) => {
        for (const { row, message } of mapData(source, rows).errors) {
          expect(rows[row]).toBeDefined()
          expect(message).toMatch(/^\S.{5,}\.$/s)
        }
      }),
      runs,
    )
  })
})

describe('paths', () => {
  it('any keys that fit make a path that reads back as the same keys', () => {
    const key = fc.oneof(name, fc.string({ unit: 'grapheme', maxLength: 6 }), fc.nat())
    fc.assert(
      fc.property(fc.array(key, { maxLength: 8 }), (keys) => {
        const text = pathOfValue(keys)
        fc.pre(text.length <= 256)
        const parsed = parsePath(text, 'read')
        const read =
          parsed.ok &&
          parsed.segments.map((segment) =>
            segment.kind === 'name' ? segment.name : segment.kind === 'index' && segment.index,
          )
        expect(read).toEqual(keys)
      }),
      runs,
    )
  })

  it('any value of any data is found at the path of its keys', () => {
    fc.assert(
      fc.property(json, fc.array(fc.nat(), { maxLength: 6 }), (source, choices) => {
        const keys: (string | number)[] = []
        let value = source
        for (const choice of choices) {
          if (value === null || typeof value !== 'object' || isLosslessNumber(value)) break
          const members = Object.entries(value)
          const [key, member] = members[choice % members.length] ?? []
          if (key === undefined || member === undefined) break
          keys.push(Array.isArray(value) ? Number(key) : key)
          value = member
        }
        const parsed = parsePath(pathOfValue(keys), 'read')
        expect(parsed.ok && readPath(source, parsed.segments)).toEqual({
          ok: true,
          values: [value],
        })
      }),
      runs,
    )
  })

  it('any text is read or refused, and what is read has one shortest spelling', () => {
    fc.assert(
      fc.property(path, fc.constantFrom('read', 'write'), (text, use) => {
        const parsed = parsePath(text, use)
        if (!parsed.ok) return parsed.message.endsWith('.')
        const again = parsePath(pathText(parsed.segments), use)
        expect(again).toEqual(parsed)
        return true
      }),
      runs,
    )
  })
})
