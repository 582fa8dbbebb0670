import fc from 'fast-check'
import { parse, stringify } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { JsonProblem, objectFrom, orderedObject, parseExact, stringifyExact } from './exact-json.ts'
import type { ExactJson } from './exact-json.ts'
import { mapData } from '../map-data.ts'

const limits = { maxDepth: 1000 }
const again = (text: string, indent?: number) => stringifyExact(parseExact(text, limits), indent)

/** Keys that engines reorder, ones that look like them, and ones that are dangerous. */
const key = fc.oneof(
  fc.constantFrom('10', '2', '0', '01', '-1', '1.5', '4294967294', '4294967295', '__proto__'),
  fc.constantFrom('constructor', 'length', 'b', 'a', '', 'isLosslessNumber', 'toJSON'),
  fc.string({ maxLength: 4 }),
)
const leaf = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '0.10', '1e400', '-0', '12345678901234567890'),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)),
)
/** JSON text in one line, made without any object that could reorder it. */
const json = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 6, selector: ([name]) => name })
      .map(
        (members) =>
          `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`,
      ),
  ),
})).value

describe('keys keep their place', () => {
  it.each([
    '{"b":1,"10":2}',
    '{"10":1,"2":{"9":1,"1":[{"z":0,"0":1}]},"a":3}',
    '{"__proto__":1,"7":2,"constructor":3}',
  ])('%s leaves as it came', (text) => expect(again(text)).toBe(text))

  it('however the key is written', () => {
    expect(again(String.raw`{"b":1,"\u0031":2}`)).toBe('{"b":1,"1":2}')
  })

  it('whatever the keys are', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(again(text)).toBe(text)
      }),
    )
  })

  it('pretty-printed too', () => {
    expect(again('{"b":1,"10":2}', 2)).toBe('{\n  "b": 1,\n  "10": 2\n}')
  })

  it('where a mapping copies a part, and where it names such a key', () => {
    const source = parseExact(
      '{"part":{"b":1,"10":{"z":1,"3":2}},"list":[{"q":1,"5":2},{"q":3,"5":4}]}',
    )
    const row = (from: string, to: string) => ({ from, to, custom_input: '', type: '' })
    const mapped = (...rows: ReturnType<typeof row>[]) => {
      const result = mapData(source, rows)
      return result.errors.length > 0 ? result.errors : stringifyExact(result.mapped)
    }
    expect(mapped(row('part', 'x'))).toBe('{"x":{"b":1,"10":{"z":1,"3":2}}}')
    expect(mapped(row('part', '$'), row('list[0].q', "['10'].y"))).toBe(
      '{"b":1,"10":{"z":1,"3":2,"y":1}}',
    )
    expect(mapped(row('part', '$'), row('list[0].q', 'more'))).toBe(
      '{"b":1,"10":{"z":1,"3":2},"more":1}',
    )
    expect(mapped(row('part.b', 'b'), row('part.b', "['10']"), row('part.b', "['2']"))).toBe(
      '{"b":1,"10":1,"2":1}',
    )
    expect(mapped(row('list[*].q', 'out[*].q'), row('list[*].q', "out[*]['1']"))).toBe(
      '{"out":[{"q":1,"1":1},{"q":3,"1":3}]}',
    )
  })
})

describe('an object that keeps the order', () => {
  it('reads and writes like any other', () => {
    const object = orderedObject()
    object['b'] = true
    object['10'] = null
    object['b'] = false
    object['__proto__'] = 'own'
    expect(Object.keys(object)).toEqual(['b', '10', '__proto__'])
    expect(Object.entries(object)).toEqual([
      ['b', false],
      ['10', null],
      ['__proto__', 'own'],
    ])
    const seen: string[] = []
    for (const name in object) seen.push(name)
    expect(seen).toEqual(['b', '10', '__proto__'])
    expect(Object.getPrototypeOf(object)).toBeNull()
    expect(Object.hasOwn(object, 'toString')).toBe(false)
    delete object['b']
    object['b'] = 'last'
    expect(Object.keys(object)).toEqual(['10', '__proto__', 'b'])
  })

  it('is made only where it is needed', () => {
    const plain: [string, ExactJson][] = [['a', null]]
    expect(Object.keys(objectFrom([...plain, ['1', null]]))).toEqual(['a', '1'])
    expect(Object.keys(objectFrom(plain))).toEqual(['a'])
  })
})

describe('the reader agrees with the library', () => {
  const outcome = (read: () => string) => {
    try {
      return read()
    } catch (error) {
      if (error instanceof JsonProblem || error instanceof SyntaxError) return 'refused'
      throw error
    }
  }
  const noReordering = (text: string) => !/"\s*\d|\\u003/.test(text)

  it('on what is JSON, and on what is not', () => {
    const broken = fc
      .tuple(
        json,
        fc.nat(),
        fc.constantFrom(
          '',
          '"',
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '0',
          '\\',
          'e',
          ' ',
          '\n',
          '\0',
          '\u00a0',
          '-',
          '.',
          'tru',
        ),
      )
      .map(([text, at, piece]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + piece + text.slice(place + (at % 2))
      })
    fc.assert(
      fc.property(broken.filter(noReordering), (text) => {
        fc.pre(text.trim() !== '' && !text.includes('__proto__'))
        const ours = outcome(() => again(text))
        const theirs = outcome(() =>
          String(
            stringify(
              parse(text, undefined, {
                onDuplicateKey: () => {
                  throw new SyntaxError()
                },
              }),
            ),
          ),
        )
        expect(ours).toBe(theirs)
      }),
      { numRuns: 2000 },
    )
  })
})
