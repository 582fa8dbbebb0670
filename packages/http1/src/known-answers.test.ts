import { expect, it } from 'vitest'
import { AnswerFieldNames } from './answer-field-names.ts'
import { KnownAnswers } from './known-answers.ts'

const headOf = (second: number, more = '') =>
  `HTTP/1.1 200 OK\r\nDate: Mon, 23 Nov 2026 12:00:0${second} GMT\r\nContent-Length: 3${more}`
const names = new AnswerFieldNames({ isPassed: () => true, isCookiePassed: () => true })

it('the same head is read once, and again after another of its length', () => {
  const answers = new KnownAnswers(names)
  const first = answers.read(headOf(1))
  expect(answers.read(headOf(1))).toBe(first)
  expect(answers.read(headOf(2)).passed[1]).toBe('Mon, 23 Nov 2026 12:00:02 GMT')
  const again = answers.read(headOf(1))
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
})

it('a large head is not kept', () => {
  const answers = new KnownAnswers(names)
  const text = headOf(1, `\r\nX: ${'x'.repeat(1_024)}`)
  expect(answers.read(text)).not.toBe(answers.read(text))
})

it('what was refused once is refused again', () => {
  const answers = new KnownAnswers(names)
  const text = headOf(1, '\r\nContent-Length: 3')
  for (let at = 0; at < 3; at++) expect(() => answers.read(text)).toThrow('length')
})
