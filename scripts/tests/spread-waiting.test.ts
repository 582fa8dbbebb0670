import { expect, it } from 'vitest'
import { spreadOver } from './spread-waiting.mjs'

const isUpper = (letter: string) => letter === letter.toUpperCase()

it.each([
  ['abcdefAB', 'AabcBdef'],
  ['ABabcde', 'AabcBde'],
  ['abc', 'abc'],
  ['AB', 'AB'],
  ['aABC', 'ABaC'],
  ['', ''],
])('spreads what is chosen, and loses nothing: %s', (given, expected) => {
  const spread = spreadOver([...given], isUpper)
  expect(spread.join('')).toBe(expected)
  expect(spread.toSorted()).toEqual([...given].toSorted())
})
