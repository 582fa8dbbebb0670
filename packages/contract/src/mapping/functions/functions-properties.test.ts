import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LosslessNumber, parseExact, stringifyExact } from '../exact/exact-json.ts'
import type { ExactJson } from '../exact/exact-types.ts'
import { mapData } from '../map-data.ts'
import { mappingLimits } from '../mapping-limits.ts'
import { parsePath } from '../paths/parse-path.ts'
import { pathText } from '../paths/path-segments.ts'
import { base64, utf8, uuidOf } from './bytes-text.ts'
import { add, decimalText, multiply, parseDecimal, round, roundingModes } from './decimal.ts'
import { mappingFunctions } from './function-table.ts'
import { isFunctionText, parseFrom } from './parse-expression.ts'
import { sha256 } from './sha256.ts'

const moment = { now: '2026-11-30T08:15:00.000Z', seed: 'seed' }
const runs = { numRuns: 2000 }

const source: ExactJson = parseExact(
  '{"a":"x","n":0.10,"z":null,"o":{"k":"1"},"l":[{"t":"A","v":"2"},{"t":"B"},{"t":"A","v":1E2}],"e":[]}',
)
const paths = ['a', 'n', 'z', 'o', 'o.k', 'l', 'l[*].v', 'l[?@.t=="A"].v', 'e[*]', 'missing', '$']
const literals = ['"t"', "'it''s'", '2', '-1.5', 'true', 'null', '"half-up"', '"yyyy"', '1E99', '0']
const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...paths, ...literals),
    fc
      .tuple(
        fc.constantFrom(...mappingFunctions.map(({ name }) => name)),
        fc.array(tie('any'), { maxLength: 4 }),
      )
      .map(([name, args]) => `${name}(${args.join(', ')})`),
  ),
})).any
const soup = fc
  .array(
    fc.constantFrom(
      'concat(',
      'add(',
      ')',
      ',',
      '"',
      "'",
      '[?',
      '@',
      '==',
      '[*]',
      ']',
      'l',
      '\\',
      '1',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))
const from = fc.oneof({ weight: 4, arbitrary: expression }, soup, fc.string({ unit: 'binary' }))
const to = fc.constantFrom('x', 'x[*].y', 'x[*]', '$')

describe('whatever From says', () => {
  it('mapping never throws, says something about each error, and makes JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(from, to), { maxLength: 4 }), (pairs) => {
        const rows = pairs.map(([from, to]) => ({ from, to, custom_input: '', type: '' }))
        const { mapped, errors } = mapData(source, rows, moment)
        for (const { message } of errors) expect(message).toMatch(/^\S.{5,}\.$/s)
        const text = stringifyExact(mapped)
        expect(stringifyExact(parseExact(text))).toBe(text)
        expect(stringifyExact(mapData(source, rows, moment).mapped)).toBe(text)
      }),
      runs,
    )
  })

  it('a path that was one before functions stays that path', () => {
    fc.assert(
      fc.property(
        fc.oneof(soup, fc.string({ unit: 'binary' }), fc.constantFrom(...paths)),
        (text) => {
          const path = parsePath(text, 'read')
          fc.pre(path.ok)
          expect(isFunctionText(text)).toBe(false)
          expect(parseFrom(text)).toEqual({
            ok: true,
            from: { kind: 'path', segments: path.ok && path.segments },
          })
        },
      ),
      runs,
    )
  })

  it('a filter has one shortest spelling, which reads back as the same', () => {
    const name = fc.constantFrom('.a', "['b c']", '[0]', '[-1]', '.@x')
    const value = fc.oneof(
      fc.constantFrom('1', '-0.50', 'true', 'null'),
      fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text)),
    )
    const test = fc
      .tuple(fc.array(name, { maxLength: 3 }), fc.constantFrom('==', ' != '), value)
      .map(([path, operator, value]) => `@${path.join('')}${operator}${value}`)
    fc.assert(
      fc.property(fc.array(test, { minLength: 1, maxLength: 3 }), (tests) => {
        const text = `l[? ${tests.join(' && ')} ].v`
        fc.pre(text.length <= 256)
        const parsed = parsePath(text, 'from')
        const again = parsed.ok && parsePath(pathText(parsed.segments), 'from')
        expect(parsed.ok).toBe(true)
        expect(again).toEqual(parsed)
      }),
      runs,
    )
  })
})

describe('numbers', () => {
  const number = fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(18))
    .map(([units, scale]) => ({ units, scale }))

  it('are written as they are read', () => {
    fc.assert(
      fc.property(number, (each) => {
        expect(parseDecimal(decimalText(each))).toEqual(each)
      }),
      runs,
    )
  })

  it('are added and multiplied exactly', () => {
    // Both as whole numbers of 10^-36, the smallest unit that a product can have.
    const whole = ({ units, scale }: { units: bigint; scale: number }) =>
      units * 10n ** BigInt(36 - scale)
    fc.assert(
      fc.property(number, number, (one, other) => {
        expect(whole(add(one, other))).toBe(whole(one) + whole(other))
        expect(whole(multiply(one, other)) * 10n ** 36n).toBe(whole(one) * whole(other))
      }),
      runs,
    )
  })

  it('are rounded to a neighbour, never further than the mode allows', () => {
    fc.assert(
      fc.property(number, fc.nat(18), fc.constantFrom(...roundingModes), (value, places, mode) => {
        const rounded = round(value, places, mode)
        expect(rounded.scale).toBe(places)
        // In units of 10^-18: how far it moved, and how far it may move.
        const unit = (each: typeof value) => each.units * 10n ** BigInt(18 - each.scale)
        const moved = unit(rounded) - unit(value)
        const step = 10n ** BigInt(18 - places)
        const isTie = value.scale > places && (moved * 2n === step || moved * 2n === -step)
        if (mode.startsWith('half')) {
          expect(moved * 2n <= step && moved * 2n >= -step).toBe(true)
          if (isTie && mode === 'half-even') expect(rounded.units % 2n).toBe(0n)
          if (isTie && mode === 'half-up') expect(moved > 0n).toBe(value.units > 0n)
          if (isTie && mode === 'half-down') expect(moved < 0n).toBe(value.units > 0n)
        } else {
          expect(moved < step && moved > -step).toBe(true)
          if (mode === 'ceiling') expect(moved >= 0n).toBe(true)
          if (mode === 'floor') expect(moved <= 0n).toBe(true)
          if (mode === 'up') expect(value.units > 0n ? moved >= 0n : moved <= 0n).toBe(true)
          if (mode === 'down') expect(value.units > 0n ? moved <= 0n : moved >= 0n).toBe(true)
        }
      }),
      runs,
    )
  })

  it.each(['1E101', '1e-999999999', `1${'0'.repeat(100)}`])('%s is too long', (text) => {
    expect(parseDecimal(text)).toBe('too_long')
  })
})

describe('bytes', () => {
  it('SHA-256 and Base64 are those of the platform', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(base64(sha256(utf8(text)))).toBe(
          createHash('sha256').update(utf8(text)).digest('base64'),
        )
        expect(base64(utf8(text))).toBe(Buffer.from(utf8(text)).toString('base64'))
      }),
      runs,
    )
  })

  it('a UUID has the form of version 4, and another seed makes another', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        fc.pre(one !== other)
        expect(uuidOf(one)).toMatch(
          /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
        )
        expect(uuidOf(one)).not.toBe(uuidOf(other))
      }),
    )
  })
})

describe('work is bounded', () => {
  const outcome = (data: ExactJson, ...from: string[]) =>
    mapData(
      data,
      from.map((from) => ({ from, to: 'x', custom_input: '', type: '' })),
      moment,
    ).errors.map(({ message }) => message)

  it('refuses functions that are too long or too deep', () => {
    const { expressionLength, expressionDepth } = mappingLimits
    expect(outcome(source, `concat("${'x'.repeat(expressionLength)}")`)).toEqual([
      `The function is longer than ${expressionLength} characters.`,
    ])
    const nested = (levels: number) => `${'upper('.repeat(levels)}a${')'.repeat(levels)}`
    expect(outcome(source, nested(expressionDepth))).toEqual([])
    expect(outcome(source, nested(expressionDepth + 1))).toEqual([
      `Character ${expressionDepth * 6 + 1}: functions go at most ${expressionDepth} levels deep.`,
    ])
  })

  it('stops where a long text is repeated for every element of a list', () => {
    const list: ExactJson = Array.from({ length: 10_000 }, () => 'x')
    const data = Object.assign(Object.create(null) as object, { list, long: 'y'.repeat(100_000) })
    const [message] = outcome(data, 'sha256(concat(list[*], long))')
    expect(message).toBe(
      'Functions read and write more than the 16,000,000 characters that all rows together may.',
    )
  })

  it('refuses a product that grows past 100 digits', () => {
    const nines = new LosslessNumber('9'.repeat(60))
    const data = Object.assign(Object.create(null) as object, { nines })
    expect(outcome(data as ExactJson, 'multiply(nines, nines, nines)')).toEqual([
      'multiply (character 1): the result has more than 100 digits.',
    ])
  })

  it('needs a step for what is fixed for a step', () => {
    const row = { from: 'uuid()', to: 'x', custom_input: '', type: '' }
    expect(mapData(source, [row]).errors.map(({ message }) => message)).toEqual([
      'uuid (character 1): there is no step here that it could be of.',
    ])
  })
})
