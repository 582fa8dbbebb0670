import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toCleanText } from './clean-text.ts'
import { readJsonEntry } from './json-entry.ts'
import type { LineFormat } from './line-format.ts'
import { detectFormat } from './line-format.ts'
import { EntryScanner } from './entry-scanner.ts'
import { Needle } from './needle.ts'
import { findTimeStamp, timeStampPatterns } from './time-stamp.ts'

/** A quantifier without an upper bound, outside of character classes. */
function unbounded(pattern: string): string[] {
  const bare = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x')
  return bare.match(/[*+]|\{\d+,\}/g) ?? []
}

/** The regular expressions of a source, as they are written between slashes. */
function literals(source: string): string[] {
  const code = source.replace(/^\s*(\/?\*|\/\/).*$/gm, '')
  const found = code.matchAll(
    /(?<=[=(,[:!&|?]\s*)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/[dgimsuvy]*/g,
  )
  return [...found].map(([, pattern = '']) => pattern)
}

describe('no pattern of the log viewer can go back and forth', () => {
  it('the check finds what it looks for', () => {
    const source =
      'const a = /^(x+)+$/\nf(/[*+]/, /\\d{2,}\\*/)\n// = /b*/\nconst c = /^\\d{1,3}$/.test(x)'
    expect(literals(source).map(unbounded)).toEqual([['+', '+'], [], ['{2,}'], []])
  })

  it('because each quantifier has a bound', () => {
    const folder = new URL('../', import.meta.url)
    const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.includes('.test.'))
    const patterns = files.flatMap((file) =>
      literals(readFileSync(new URL(file.replaceAll('\\', '/'), folder), 'utf8')),
    )
    expect(files.length).toBeGreaterThan(15)
    expect(patterns.length).toBeGreaterThan(1)
    const all = [...patterns, ...timeStampPatterns.map(({ source }) => source)]
    expect(all.filter((pattern) => unbounded(pattern).length > 0)).toEqual([])
  })
})

describe('reading a megabyte comes to its end', () => {
  const pieces = [
    '[',
    '[2026-11-21 10:00:00',
    '[2026-11-21 10:00:00] a.',
    '[2026-11-21 10:00:00] a.ERROR: x\n',
    '[2026-11-21 10:00:00] a b.ERRORS:\n',
    'a.ERROR:',
    'ERROR: ',
    'E: ',
    '.: ',
    '{"',
    '{"level":',
    '\\"',
    '{"a":"\\\\',
    '\x1b[',
    '\x1b[1;',
    '\u202e',
    '\r',
    '\n',
    '\r\n',
    '2026-',
    'Jan 1 ',
    '[01/Jan/',
    'é',
    '\0',
  ]
  const read = (text: string) => {
    const bytes = Buffer.from(text)
    let entries = 0
    for (const format of ['headings', 'json', 'plain'] as LineFormat[]) {
      new EntryScanner(format, new Needle('aaaaaaab')).scan(bytes, 0, false, {
        begin: () => void entries++,
        hit: () => {},
        hasBegun: true,
        skipsOrphans: false,
      })
    }
    detectFormat(bytes)
    findTimeStamp(toCleanText(bytes))
    readJsonEntry(bytes, false)
    readJsonEntry(bytes, true)
    return entries
  }
  // No clock is read: were every byte a reason to look at all others, this would not end in the time
  // that a test has.
  it.each([...pieces, 'a'])('however often %j is repeated', (piece) => {
    expect(read(piece.repeat(1_000_000 / piece.length))).toBeGreaterThan(0)
  })
})
