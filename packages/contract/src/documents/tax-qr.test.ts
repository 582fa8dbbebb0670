import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readTaxQr } from './tax-qr.ts'

interface Case {
  id: string
  base64: string
  decoded?: { tag: number; len: number; utf8?: string; hex?: string }[]
}
const cases = JSON.parse(
  readFileSync(new URL('../../fixtures/tax-qr-cases.json', import.meta.url), 'utf8'),
) as Case[]

const toBase64 = (bytes: readonly number[]) => Buffer.from(bytes).toString('base64')
const field = (tag: number, text: string) => [tag, Buffer.byteLength(text), ...Buffer.from(text)]
const fiveFields = [1, 2, 3, 4, 5].flatMap((tag) => field(tag, `value ${tag}`))

it.each(cases)('reads what others have read: $id', ({ base64, decoded }) => {
  const read = readTaxQr(base64)?.fields.map(({ tag, length, value, isText }) => ({
    tag,
    len: length,
    ...(isText ? { utf8: value } : { hex: value }),
  }))
  expect(read).toEqual(decoded)
})

it('names the fields', () => {
  expect(readTaxQr(toBase64([...fiveFields, ...field(200, 'x')]))).toMatchObject({
    fields: [
      { name: "Seller's name" },
      { name: 'VAT registration number' },
      { name: 'Time stamp' },
      { name: 'Total with VAT' },
      { name: 'VAT total' },
      { name: '–', value: 'x' },
    ],
    problem: undefined,
  })
})

it('counts lengths in bytes, and shows as digits what is no text', () => {
  const bytes = [...field(1, 'مؤسسة 🧾'), 2, 2, 0xff, 0xfe, 3, 1, 0x07, 4, 0]
  expect(readTaxQr(toBase64(bytes))?.fields).toMatchObject([
    { length: 15, value: 'مؤسسة 🧾', isText: true },
    { value: 'fffe', isText: false },
    { value: '07', isText: false },
    { length: 0, value: '', isText: true },
  ])
})

describe('a problem is told:', () => {
  it.each([
    ['it was cut off', fiveFields.slice(0, -3), 'It ends in the middle of field 5.'],
    ['it ends after a tag', [...fiveFields, 6], 'It ends in the middle of field 6.'],
    ['fields are missing', field(1, 'Shop'), /^Missing: VAT registration number, Time stamp/],
    ['a field comes twice', [...fiveFields, ...field(3, 'x')], 'Field 3 stands in it twice.'],
  ])('%s', (_name, bytes, problem) => {
    expect(readTaxQr(toBase64(bytes))?.problem).toMatch(problem)
  })
})

describe('no tax QR:', () => {
  it.each([
    ['nothing', ''],
    ['plain text', 'https://example.com/'],
    ['a placeholder', 'TEMP_QR_VALUE'],
    ['Base64 of something else', toBase64([0x89, 0x50, 0x4e, 0x47])],
    ['a first field that is cut off', toBase64([1, 200, 65])],
    ['Base64 with line breaks, which no scanner accepts', `${toBase64(fiveFields).slice(0, 8)}\n`],
    ['more than any QR code holds', toBase64(Array.from({ length: 3000 }, () => 1))],
    ['Base64 with padding in the middle', 'AQ==AQ=='],
  ])('%s', (_name, text) => expect(readTaxQr(text)).toBeUndefined())
})
