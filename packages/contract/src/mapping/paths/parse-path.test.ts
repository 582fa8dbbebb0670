import { describe, expect, it } from 'vitest'
import { parsePath } from './parse-path.ts'
import { pathOfValue, pathText } from './path-segments.ts'
import type { PathSegment } from './path-segments.ts'

const messageOf = (text: string, use: 'read' | 'write') => {
  const parsed = parsePath(text, use)
  return parsed.ok ? `read as ${pathText(parsed.segments)}` : parsed.message
}

/** Text for a name, a number for an index, null for `[*]`. */
const segment = (key: string | number | null): PathSegment => {
  if (key === null) return { kind: 'all' }
  return typeof key === 'number' ? { kind: 'index', index: key } : { kind: 'name', name: key }
}

describe('a path is read', () => {
  it.each<[string, (string | number | null)[]]>([
    ['$', []],
    [' $ ', []],
    ['a', ['a']],
    ['$.a', ['a']],
    ['a.b[0].c', ['a', 'b', 0, 'c']],
    ['$.a.b[0].c', ['a', 'b', 0, 'c']],
    ['items[*].sku', ['items', null, 'sku']],
    ["$['k.ey']", ['k.ey']],
    ["['k.ey']", ['k.ey']],
    ['a["b"].c', ['a', 'b', 'c']],
    ["a['b']['c']", ['a', 'b', 'c']],
    ['[0]', [0]],
    ['$[0][1]', [0, 1]],
    ['[*]', [null]],
    ['$[*][*].a', [null, null, 'a']],
    ['a[ 0 ][ * ][ "b" ]', ['a', 0, null, 'b']],
    ['a[-1]', ['a', -1]],
    ["['']", ['']],
    ["['it\\'s']", ["it's"]],
    ['["it\'s"]', ["it's"]],
    ["['a\\\\b\\n\\u00e9\\uD83D\\uDE00\\/']", ['a\\b\né😀/']],
    ["['a]b']", ['a]b']],
    ["['*']", ['*']],
    ["['0']", ['0']],
    ['first-name', ['first-name']],
    ['@type.#text', ['@type', '#text']],
    ['a.$ref', ['a', '$ref']],
    ['a1._b', ['a1', '_b']],
    ['3d', ['3d']],
    ['größe.漢字.😀', ['größe', '漢字', '😀']],
  ])('%s', (text, keys) => {
    expect(parsePath(text, 'read')).toEqual({ ok: true, segments: keys.map(segment) })
  })
})

describe('a path is refused, and the message helps', () => {
  it.each([
    ['', 'The path is empty.'],
    ['  ', 'The path is empty.'],
    ['a..b', 'The path "a..b" cannot be used: two dots in a row (a search at any depth)'],
    ['$..a', 'search at any depth'],
    ['.a', 'must start with a name'],
    ['a.', 'a name is missing after the last dot'],
    ['$.', 'a name is missing after the last dot'],
    ['$a', 'after the $ there must be'],
    ['a.*', 'write [*] for every element'],
    ['*', 'write [*] for every element'],
    ['a.[0]', 'leave out the dot before the bracket'],
    ['a.0', "write [0] for an element of a list, or ['0'] for a key"],
    ['a.-1', 'write [-1] for an element'],
    ['first name', "write ['first name'] around a name"],
    ['cbc:ID', "write ['cbc:ID'] around a name"],
    ['a.b c.d', "write ['b c'] around a name"],
    ['a[0]b', 'a dot or a bracket is missing before "b"'],
    ['a.length()', 'functions are not supported'],
    ['a[', 'a closing bracket is missing'],
    ['a[0', 'a closing bracket is missing'],
    ['a]', '"]" is not expected here'],
    ['a[]', 'write [0] for one element or [*]'],
    ['a[b]', "put the name in quotes: ['b']"],
    ['a[?@.b==1]', 'filters are not supported'],
    ['a[?(@.b)]', 'filters are not supported'],
    ['a[0:2]', 'ranges are not supported'],
    ['a[:2]', 'ranges are not supported'],
    ['a[0,1]', 'only one name or index'],
    ["a['b','c']", 'only one name or index'],
    ['a[01]', '[01] is not an index'],
    ['a[-0]', '[-0] is not an index'],
    ['a[9007199254740992]', 'is not an index'],
    ['a[1.5]', "put the name in quotes: ['1.5']"],
    ["a['b]", 'not closed'],
    ["a['b\\x']", 'an escape that JSON does not know'],
    ["a['b\\u12']", 'an escape that JSON does not know'],
    ["a['b\nc']", 'holds a control character'],
    ["a'b'", 'put a name in quotes inside brackets'],
    ['a\u200bb', 'around a name with special characters'],
    ['a'.repeat(257), 'longer than 256 characters'],
    [`a${'[0]'.repeat(32)}`, 'more than 32 levels'],
  ])('%s', (text, says) => expect(messageOf(text, 'read')).toContain(says))

  it('takes 256 characters and 32 levels', () => {
    expect(parsePath('a'.repeat(256), 'read').ok).toBe(true)
    expect(parsePath(`  ${'a'.repeat(256)}  `, 'read').ok).toBe(true)
    expect(parsePath(`a${'[0]'.repeat(31)}`, 'write').ok).toBe(true)
  })

  it('shortens a long path in its message', () => {
    expect(messageOf('ab..'.repeat(60), 'read').length).toBeLessThan(200)
  })
})

describe('writing refuses more than reading', () => {
  it.each([
    ['__proto__', '__proto__ is refused'],
    ['a.prototype.b', 'prototype is refused'],
    ["['constructor']", 'constructor is refused'],
    ["a['\\u005f_proto__']", '__proto__ is refused'],
    ['a[-1]', 'can be read, but not written'],
    ['a[10000]', 'the last index is 9999'],
  ])('%s', (text, says) => {
    expect(parsePath(text, 'read').ok).toBe(true)
    expect(messageOf(text, 'write')).toContain(says)
  })

  it('takes the last index that a list may have', () => {
    expect(parsePath('a[9999]', 'write').ok).toBe(true)
  })
})

describe('pathOfValue gives the shortest path', () => {
  it.each<[(string | number)[], string]>([
    [[], '$'],
    [['a'], 'a'],
    [['a', 'b', 0, 'c'], 'a.b[0].c'],
    [[0, 'a'], '[0].a'],
    [['k.ey'], "['k.ey']"],
    [['a', 'k.ey', 'b'], "a['k.ey'].b"],
    [[''], "['']"],
    [["it's"], '["it\'s"]'],
    [['"'], "['\"']"],
    [['\'"'], "['\\'\"']"],
    [['\\'], "['\\\\']"],
    [['0'], "['0']"],
    [['a', '-1'], "a['-1']"],
    [['$'], "['$']"],
    [['$ref'], "['$ref']"],
    [['a', '$ref'], 'a.$ref'],
    [['first name'], "['first name']"],
    [['cbc:ID'], "['cbc:ID']"],
    [['größe', '😀'], 'größe.😀'],
    [['__proto__'], '__proto__'],
    [['a\nb\u0000'], "['a\\nb\\u0000']"],
    [['\ud800'], "['\\ud800']"],
    [['a\u202eb'], "['a\\u202eb']"],
  ])('%j is %s', (keys, text) => {
    expect(pathOfValue(keys)).toBe(text)
    expect(parsePath(text, 'read')).toEqual({ ok: true, segments: keys.map(segment) })
  })
})
