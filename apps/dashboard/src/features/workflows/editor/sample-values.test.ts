import { parseExact } from '@gatehouse/contract/mapping'
import { expect, test } from 'vitest'
import { newRow } from '../../../entities/mapping/mapping-form.ts'
import { sampleValues } from './sample-values.ts'

const samples = [
  { step: 0, label: 'Input', data: parseExact('{"id":1.50,"name":"Ada"}'), origin: '' },
  { step: 1, label: 'Answer of step 1', data: parseExact('{"id":"X"}'), origin: '' },
  { step: 2, label: 'Answer of step 2', data: undefined, origin: '' },
]

test('each row reads the sample of its source, and the input is what is covered', () => {
  const rows = ['input', 'steps.1.body', 'steps.2.body'].map((source) =>
    newRow({ from: 'id', to: 'x', source }),
  )
  const { values, coverage } = sampleValues(rows, samples)
  expect(values).toEqual(['1.50', '"X"', undefined])
  expect(coverage).toMatchObject({ unread: ['name'], total: 2 })
})
