import { expect, test } from 'vitest'
import { sentAmounts } from './sent-amounts.ts'

const amountsOf = (text: string, is_whole = true) =>
  sentAmounts({ body: { text, bytes: text.length, is_whole } }).map(({ path, value }) => [
    path,
    value,
  ])

test.each([
  ['{"total":119.00,"number":"A-7"}', [['total', '119.00']]],
  ['{"invoice":{"payable_amount":"1,190.50"}}', [['invoice.payable_amount', '1,190.50']]],
  [
    '{"a":{"grandTotal":2},"totalAmount":3}',
    [
      ['totalAmount', '3'],
      ['a.grandTotal', '2'],
    ],
  ],
  ['{"lines":[{"amount":1}],"total":{"net":4}}', [['total.net', '4']]],
  ['{"totalInWords":"two"}', []],
  [
    '<Invoice><LegalTotal><PayableAmount currency="SAR">115.00</PayableAmount></LegalTotal></Invoice>',
    [['Invoice.LegalTotal.PayableAmount', '115.00']],
  ],
  ['not JSON', []],
  ['', []],
])('the amounts of %s', (text, amounts) => {
  expect(amountsOf(text)).toEqual(amounts)
})

test('none are read from a body that is cut, or that is not there', () => {
  expect(amountsOf('{"total":1}', false)).toEqual([])
  expect(sentAmounts({ body: null })).toEqual([])
})
