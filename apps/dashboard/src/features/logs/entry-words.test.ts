import { expect, test } from 'vitest'
import { indentJson } from '../../lib/format/indent-json.ts'
import { entryTime, entryWords } from './entry-words.ts'

const lineOf = (text: string) => entryWords({ text }).line

test.each([
  ['{"method": "GET", "path": "/a", "status": 404, "duration_ms": 0.3}', 'GET · /a · 404 · 0.3 ms'],
  ['request {"method": "GET", "path": "/a", "status": 200}', 'GET · /a · 200'],
  ['sent {"method": "POST", "status": 200}', 'sent · POST · 200'],
  ['It broke {"exception": "x"}', 'It broke'],
  ['{"status": 400, "code": "x"}', '{"status": 400, "code": "x"}'],
  ['{"only": "fields"}', '{"only": "fields"}'],
  ['It says {"x and {"a": 1}', 'It says {"x and'],
  ['No {"json" here}', 'No {"json" here}'],
  ['Two\n  lines', 'Two lines'],
  ['x'.repeat(100_000), `${'x'.repeat(400)}…`],
])('%.70s is summed up', (text, line) => {
  expect(lineOf(text)).toBe(line)
})

test('escapes that would turn the direction of writing stay escapes', () => {
  const text = '{"method": "GET", "path": "/\\u202egpj.exe\\u0007", "status": 200}'
  expect(lineOf(text)).toBe('GET · /\\u202egpj.exe\\u0007 · 200')
  expect(indentJson('{"a":"\\u202e"}')).toBe('{\n  "a": "\\u202e"\n}')
})

test('JSON is indented without a change to its tokens', () => {
  expect(indentJson('{"a":1.00,"b":[],"c":{},"d":[1e400,{"e":"x: {,}\\""}],"f":null}')).toBe(
    '{\n  "a": 1.00,\n  "b": [],\n  "c": {},\n  "d": [\n    1e400,\n    {\n      "e": "x: {,}\\""\n    }\n  ],\n  "f": null\n}',
  )
})

test.each([
  ['2026-11-21 10:00:00', ['2026-11-21', '10:00:00', '']],
  ['2026-11-21T10:00:00.123456+03:00', ['2026-11-21', '10:00:00.123', '+03:00']],
  ['2026-11-21T10:00:00,5Z', ['2026-11-21', '10:00:00.500', 'Z']],
  ['Nov 21 10:00:00', ['', 'Nov 21 10:00:00', '']],
  ['17', ['', '17', '']],
])('the date %s is taken apart', (date, [day, time, zone]) => {
  expect(entryTime({ date })).toEqual({ day, time, zone })
})
