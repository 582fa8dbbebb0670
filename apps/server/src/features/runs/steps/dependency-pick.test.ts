import { parseExact, stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergePick, parseDependencyField, pickFields } from './dependency-pick.ts'

/** What step 2 sends, or why it can't. */
function merged(answer: string, fields: string, body = ''): string {
  const parsed = parseDependencyField(fields)
  if (!parsed.ok) return parsed.message
  const pick = pickFields(parseExact(answer), parsed.fields)
  if (!pick.ok) return pick.message
  const result = mergePick(body === '' ? undefined : parseExact(body), pick.value)
  return result.ok ? stringifyExact(result.value) : result.message
}

const post = '{"id":1.0,"title":"T","user":{"name":"Ada"},"tags":["x","y"],"none":null}'

describe('picking', () => {
  it.each([
    ['an object gives an object', post, 'id,title', '', '{"id":1.0,"title":"T"}'],
    ['path:as names it', post, 'user.name:by, tags[1]:tag', '', '{"by":"Ada","tag":"y"}'],
    ['the last name of the path is the key', post, 'user.name', '', '{"name":"Ada"}'],
    ['null is there', post, 'none', '', '{"none":null}'],
    ['a list of one gives that object', `[${post}]`, 'id', '', '{"id":1.0}'],
    ['a list of n gives n', `[{"id":1},{"id":2}]`, 'id', '', '[{"id":1},{"id":2}]'],
    ['quoted names may hold signs', '{"a,b:c":1}', `['a,b:c']:d`, '', '{"d":1}'],
  ])('%s', (_name, answer, fields, body, expected) =>
    expect(merged(answer, fields, body)).toBe(expected),
  )
})

describe('merging', () => {
  it.each([
    ['picked wins', post, 'id', '{"id":9,"x":2.50}', '{"id":1.0,"x":2.50}'],
    ['a picked null wins', post, 'none', '{"none":1}', '{"none":null}'],
    [
      'an object into each element',
      post,
      'id',
      '[{"a":1},{"a":2}]',
      '[{"a":1,"id":1.0},{"a":2,"id":1.0}]',
    ],
    [
      'lists one by one',
      '[{"id":1},{"id":2}]',
      'id',
      '[{"a":1},{"a":2}]',
      '[{"a":1,"id":1},{"a":2,"id":2}]',
    ],
  ])('%s', (_name, answer, fields, body, expected) =>
    expect(merged(answer, fields, body)).toBe(expected),
  )
})

describe('refusals name what is wrong', () => {
  it.each([
    [post, 'id,missing', '', /no field missing/],
    [`[{"id":1},{}]`, 'id', '', /Element 1 of step 1's answer has no field id/],
    ['[]', 'id', '', /empty list/],
    ['"text"', 'id', '', /no object/],
    [post, 'toString', '', /no field toString/],
    ['[{"id":1},{"id":2}]', 'id', '{"a":1}', /answered with a list/],
    ['[{"id":1},{"id":2}]', 'id', '[{"a":1}]', /2 elements.*has 1/],
    [post, 'id', '[1]', /Element 0/],
    [post, 'id', '7', /must be an object or a list/],
  ])('%s, %s, %s', (answer, fields, body, message) =>
    expect(merged(answer, fields, body)).toMatch(message),
  )

  it.each([
    ['id,,title', /missing beside a comma/],
    ['', /missing beside a comma/],
    ['id:', /path or path:as/],
    ['id:a:b', /path or path:as/],
    ['a b', /cannot be used/],
    ['items[*].id', /\[\*\]/],
    ['items[0]', /what items\[0\] is to be called/],
    ['a.id,b.id', /Two fields/],
    ['x:__proto__', /refused/],
    ['constructor', /refused/],
    [Array.from({ length: 51 }, (_, i) => `f${i}`).join(), /at most 50/],
  ])('the field %s', (text, message) => {
    expect(parseDependencyField(text)).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
    })
  })
})

it('every field that is picked is in the result as it was, and nothing else is changed', () => {
  const key = fc.stringMatching(/^[a-z]{1,6}$/)
  const values = fc.dictionary(
    key,
    fc.json().map((text) => parseExact(text, { maxDepth: 1000 })),
    {
      minKeys: 1,
      maxKeys: 5,
    },
  )
  fc.assert(
    fc.property(values, values, (answer, body) => {
      const names = Object.keys(answer).filter((name) => name !== 'constructor')
      fc.pre(names.length > 0)
      const parsed = parseDependencyField(names.join(', '))
      if (!parsed.ok) throw new Error(parsed.message)
      const pick = pickFields(plain(answer), parsed.fields)
      const result = pick.ok && mergePick(plain(body), pick.value)
      const expected = { ...body, ...Object.fromEntries(names.map((name) => [name, answer[name]])) }
      expect(result && result.ok && sorted(result.value)).toBe(sorted(plain(expected)))
    }),
  )
})

const plain = (fields: Record<string, ExactJson | undefined>): ExactJson =>
  parseExact(stringifyExact(fields as ExactJson), { maxDepth: 1000 })

const sorted = (value: ExactJson) =>
  JSON.stringify(
    Object.entries(value ?? {})
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, stringifyExact(each as ExactJson)]),
  )
