import { describe, expect, test } from 'vitest'
import { problemsInRefusal, problemsOf } from './problem-words.ts'

describe('the problems of rows', () => {
  test.each([
    ['/total', 'total'],
    ['/lines/0/qty', 'lines[0].qty'],
    ['/a~1b/c~0d', 'a/b.c~d'],
    ['customer.name', 'customer.name'],
    ['reference', 'reference'],
    ['input', ''],
    ['', ''],
  ])('name the field at %j as mappings and headers do: %j', (place, field) => {
    const errors = { [place]: ['This is missing.'] }
    expect(problemsOf([{ line: 3, errors }])).toMatchObject([
      { row: 3, field, message: 'This is missing.' },
    ])
  })

  test('are one for each message', () => {
    const errors = { '/a': ['One.', 'Two.'], '/b': ['Three.'] }
    expect(problemsOf([{ line: 1, errors }]).map(({ message }) => message)).toEqual([
      'One.',
      'Two.',
      'Three.',
    ])
  })

  test('are read from a refusal that names its lines', () => {
    expect(
      problemsInRefusal({ 'line 12 /total': ['Not a number.'], 'line 13': ['No JSON.'] }),
    ).toMatchObject([
      { row: 12, field: 'total', message: 'Not a number.' },
      { row: 13, field: '', message: 'No JSON.' },
    ])
  })

  test('are none in a refusal of the whole file', () => {
    expect(problemsInRefusal({ header: ['The file has no header row.'] })).toBeUndefined()
  })
})
