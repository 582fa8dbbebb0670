import { describe, expect, it } from 'vitest'
import { markedPieces, partIn, readTexts } from './snippet.ts'
import { readQuestion } from './word-query.ts'

const marked = (value: string, question: string) =>
  markedPieces(value, readQuestion(question))
    .map(({ text, is_hit }) => (is_hit ? `[${text}]` : text))
    .join('')

it.each([
  ['Société Générale', 'societe', '[Société] Générale'],
  ['Trading and trade', 'trad', '[Trading] and [trade]'],
  ['total 1,250.00 SAR', '1250', 'total [1,250.00] SAR'],
  ['مؤسسة النور', 'نور', 'مؤسسة [النور]'],
  ['<b>bold</b>', 'bold', '<b>[bold]</b>'],
  [
    `${'x '.repeat(100)}needle${' y'.repeat(100)}`,
    'needle',
    `…${'x '.repeat(30)}[needle]${' y'.repeat(60)}…`,
  ],
])('marks in %j what %j finds', (value, question, expected) => {
  expect(marked(value, question)).toBe(expected)
})

describe('texts of a request', () => {
  const one = '{"no":"INV-1","customer":"Noor","lines":[{"total":"5.00"}],"total":"12.50"}'
  const two =
    '[{"no":"INV-1","customer":"Noor","total":1},{"no":"INV-2","customer":"Badr","total":2}]'

  it('have a total and show where the words are', () => {
    expect(readTexts([one], readQuestion('noor'))).toMatchObject({
      amount: '12.50',
      snippet: { path: 'customer', pieces: [{ text: 'Noor', is_hit: true }] },
    })
    expect(readTexts(['{"net":"9","tax_inclusive_amount":"10.35"}'], readQuestion('x'))).toEqual({
      amount: '10.35',
      snippet: null,
    })
  })

  it('with several documents give each its own total', () => {
    const query = readQuestion('noor')
    expect(readTexts([two], query, 'INV-1').amount).toBe('1')
    expect(readTexts([two], query, 'INV-2').amount).toBe('2')
    expect(readTexts([two], query, 'INV-3').amount).toBeNull()
    expect(readTexts([two], query, 'INV-2').snippet?.path).toBe('0.customer')
  })
})

it('a part of a reference is marked as it is written', () => {
  expect(partIn('reference', 'INV-2026-1', 'inv-2')).toEqual({
    path: 'reference',
    pieces: [
      { text: 'INV-2', is_hit: true },
      { text: '026-1', is_hit: false },
    ],
  })
  expect(partIn('reference', null, 'a')).toBeNull()
})
