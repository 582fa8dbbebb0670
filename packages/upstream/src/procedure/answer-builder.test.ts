import { stringifyExact } from '@gatehouse/contract/mapping'
import { expect, test } from 'vitest'
import { AnswerBuilder } from './answer-builder.ts'

test('columns that are called like numbers keep their place', () => {
  const answer = new AnswerBuilder({ maxRows: 10, maxBytes: 1000 })
  answer.startRecordset(['b', '10', '2'].map((name) => ({ name, type: 'text' })))
  answer.addRow(['x', 'y', 'z'])
  expect(stringifyExact(answer.body)).toContain('[[{"b":"x","10":"y","2":"z"}]]')
})
