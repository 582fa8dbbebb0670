import { expect, it } from 'vitest'
import { compareParsers } from '../testing/compare-parsers.ts'

// `npm run proof request-fuzz` compares a million.
it('of 10,000 random connections llhttp and http-parser-js read what our parser reads, however they are split', () => {
  const { differences, taken } = compareParsers(10_000, 7)
  expect(differences).toEqual([])
  expect(taken).toBeGreaterThan(2_000)
})
