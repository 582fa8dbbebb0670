import { describe, expect, it } from 'vitest'
import { parseExact, stringifyExact } from '../exact/exact-json.ts'
import { parsePath } from './parse-path.ts'
import { readPath } from './read-path.ts'

/** The matches as JSON text, or the refusal. */
function matches(source: string, path: string): string {
  const parsed = parsePath(path, 'read')
  if (!parsed.ok) return parsed.message
  const result = readPath(parseExact(source), parsed.segments)
  return result.ok ? stringifyExact(result.values) : result.message
}

describe('readPath gives all matches in order', () => {
  it.each([
    ['{"a":{"b":[1,0.10]}}', 'a.b[1]', '[0.10]'],
    ['{"a":1}', '$', '[{"a":1}]'],
    ['[{"a":1},{},{"a":3}]', '[*].a', '[1,3]'],
    ['[[1,2],[],[3]]', '[*][*]', '[1,2,3]'],
    ['[[1,2],null,[3]]', '[*][*]', '[1,2,3]'],
    ['[null]', '[*]', '[null]'],
    ['{"a":null}', 'a', '[null]'],
    ['{"a":null}', 'a.b', '[]'],
    ['{"a":[]}', 'a[*]', '[]'],
    ['{"a":[1]}', 'a[1]', '[]'],
    ['{"a":[1,2]}', 'a[-2]', '[1]'],
    ['{"a":[1,2]}', 'a[-3]', '[]'],
    ['{}', 'constructor', '[]'],
    ['{}', '__proto__', '[]'],
    ['{"a":[1]}', 'a.length', '[]'],
    ['{"a":5}', 'a.value', '[]'],
    ['{"0":1}', '[0]', '[]'],
    ['{"a":{"b":1}}', 'a[*]', 'a is an object, not a list, so [*] cannot be used on it.'],
  ])('%s at %s', (source, path, expected) => expect(matches(source, path)).toBe(expected))

  it('refuses more than 10,000 elements on any level', () => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, () => 0))
    expect(JSON.parse(matches(list(10_000), '[*]'))).toHaveLength(10_000)
    expect(matches(list(10_001), '[*]')).toContain('more than the 10000 elements')
    expect(matches(list(10_001), '[*].a')).toContain('more than the 10000 elements')
    const rows = `[${Array.from({ length: 101 }, () => list(100)).join()}]`
    expect(matches(rows, '[*][*]')).toContain('[*][*] has more than the 10000 elements')
  })
})
