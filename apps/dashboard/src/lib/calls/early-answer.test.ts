import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeEarlyAnswer } from './early-answer.ts'

const first = '/api/apis?page=1&limit=10'
const answer = Promise.resolve(new Response('{}'))

beforeEach(() => {
  globalThis.earlyAnswers = { token: 't', answers: new Map([[first, answer]]) }
  vi.spyOn(performance, 'now').mockReturnValue(2_000)
})
afterEach(() => {
  globalThis.earlyAnswers = undefined
  vi.restoreAllMocks()
})

test('an early answer is taken once', () => {
  expect(takeEarlyAnswer('GET', first, 't')).toBe(answer)
  expect(takeEarlyAnswer('GET', first, 't')).toBeUndefined()
})

test('a list that begins with another query never shows the early answer, also not later', () => {
  expect(takeEarlyAnswer('GET', '/api/apis?page=1&limit=50', 't')).toBeUndefined()
  expect(takeEarlyAnswer('GET', first, 't')).toBeUndefined()
})

test('another call leaves the early answer to the list', () => {
  expect(takeEarlyAnswer('GET', '/api/apis/tags', 't')).toBeUndefined()
  expect(takeEarlyAnswer('POST', first, 't')).toBeUndefined()
  expect(takeEarlyAnswer('GET', first, 't')).toBe(answer)
})

test('what was asked for as somebody else, or more than a minute ago, is asked for again', () => {
  expect(takeEarlyAnswer('GET', first, 'other')).toBeUndefined()
  globalThis.earlyAnswers?.answers.set(first, answer)
  vi.spyOn(performance, 'now').mockReturnValue(60_001)
  expect(takeEarlyAnswer('GET', first, 't')).toBeUndefined()
})
