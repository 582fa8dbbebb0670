import { expect, test } from 'vitest'
import { fileProblem, typeOfFile } from './upload-file.ts'
import { timeLeftWords } from './batch-words.ts'

test.each([
  ['june.csv', 'text/csv'],
  ['June.2026.CSV', 'text/csv'],
  ['june.json', 'application/json'],
  ['june.ndjson', 'application/x-ndjson'],
  ['june.jsonl', 'application/x-ndjson'],
  ['june.xlsx', undefined],
  ['csv', undefined],
  ['june.constructor', undefined],
])('%s is sent as %s', (name, type) => {
  expect(typeOfFile({ name })).toBe(type)
})

test.each([
  ['june.csv', 1, undefined],
  ['june.csv', 209_715_200, undefined],
  ['june.csv', 209_715_201, /At most 200 MB/],
  ['june.csv', 0, /is empty/],
  ['june.xlsx', 1, /must end in/],
])('%s of %i bytes: %s', (name, size, problem) => {
  const found = fileProblem({ name, size })
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(problem)
})

test.each([
  [1, 'less than a minute'],
  [61, '2 minutes'],
  [3600, '1 h'],
  [11_100, '3 h 5 min'],
])('%i s is said as %s', (seconds, words) => {
  expect(timeLeftWords(seconds)).toBe(words)
})
