import { describe, expect, it } from 'vitest'
import { compileOutput, placeholdersMax } from './custom-output.ts'

const max = 262_144
const filled = (unit: string, start = '') =>
  start + unit.repeat(Math.floor((max - start.length) / unit.length))

describe('a custom output', () => {
  it.each([
    ['quotes behind a placeholder', filled('\\"', '{{status}}"')],
    ['opening braces', filled('{')],
    ['closing braces', filled('}')],
    ['open placeholders in a string', `"${'{{'.repeat(max / 2 - 1)}"`],
    ['placeholders that open only', filled('{{', '{{status}}')],
    ['placeholders that close only', filled('}}', '{{status}}')],
    ['quotes', filled('"', '{{status}}')],
    ['strings that hold an open placeholder', filled('"{{"', '{{status}}')],
    ['backslashes', filled('\\', '{{status}}"')],
    ['placeholders', filled('{{status}}')],
    ['blanks in a placeholder', `{{${' '.repeat(max - 4)}}}`],
  ])('of 256 KiB of %s is read by looking at each character a few times', (_, text) => {
    let looked = 0
    compileOutput(text, (whole, needle, from) => {
      const at = whole.indexOf(needle, from)
      looked += (at === -1 ? whole.length : at) - from + needle.length
      return at
    })
    expect(looked).toBeGreaterThan(0)
    // Two needles in the text, four in the JSON; one of two characters may be looked at twice.
    expect(looked).toBeLessThan(12 * max)
  })

  it('holds so many placeholders and no more, in a text and in JSON', () => {
    const kindOf = (text: string) => compileOutput(text)
    const list = (count: number) => `[${Array(count).fill('"{{status}}"').join()}]`
    expect(kindOf('{{status}}'.repeat(placeholdersMax)).kind).toBe('template')
    expect(kindOf(list(placeholdersMax)).kind).toBe('template')
    const broken = { kind: 'broken', reason: 'There may be at most 1000 placeholders.' }
    expect(kindOf('{{status}}'.repeat(placeholdersMax + 1))).toEqual(broken)
    expect(kindOf(list(placeholdersMax + 1))).toEqual(broken)
  })

  it.each([
    ['{"h": {{headers["a"]}}}', 'application/json; charset=utf-8'],
    ['{"h": {{headers[\'a"\']}}}', 'application/json; charset=utf-8'],
    ['{"h": "{{headers["a"]}}"}', 'text/plain; charset=utf-8'],
    ['{"{{body.key}}": "\\"{{status}}\\\\"}', 'application/json; charset=utf-8'],
    ['{"a": "{{status}}"', 'text/plain; charset=utf-8'],
    ['"{{status}}{{status}}"', 'application/json; charset=utf-8'],
  ])('%s is answered as %s', (text, contentType) => {
    expect(compileOutput(text)).toMatchObject({ kind: 'template', contentType })
  })

  it('says what is wrong with an escape in a path', () => {
    expect(compileOutput('"{{body.a\\}}"')).toEqual({
      kind: 'broken',
      reason: '{{body.a\\}} holds an escape that JSON does not know.',
    })
  })
})
