import { expect, it } from 'vitest'
import { qrTextOf } from './qr-text.ts'

const tlv = 'AQVTYWxsYQIKMTIzNDU2Nzg5MQMUMjAyMS0wNy0xMlQxNDoyNTowOVoEBjEwMC4wMAUFMTUuMDA='

it.each([
  ['Base64 verbatim', tlv, tlv, undefined],
  ['any text, without its outer white space', `\n ${tlv}\t `, tlv, undefined],
  ['line breaks within', 'BEGIN:VCARD\nEND:VCARD', 'BEGIN:VCARD\nEND:VCARD', undefined],
  ['the field EINV_QR', `{"EINV_QR": "${tlv}"}`, tlv, 'EINV_QR'],
  ['the field qrCode beside others', `{"id": 7, "qrCode": " ${tlv} "}`, tlv, 'qrCode'],
  ['a blank field', '{"qr": ""}', '', 'qr'],
  ['a field of Arabic', '{"qr":"\\u0641\\u0627\\u062a\\u0648\\u0631\\u0629"}', 'فاتورة', 'qr'],
])('the text is %s', (_name, input, text, field) => {
  expect(qrTextOf(input)).toEqual({ text, field })
})

it.each([
  ['a JSON object with two such fields', '{"qr":"a","qr_old":"b"}'],
  ['one whose field is no text', '{"qr":{"text":"a"}}'],
  ['one without such a field', '{"id": 1}'],
  ['one that has it further inside', '{"invoice":{"qr":"a"}}'],
  ['a JSON list', '[{"qr":"a"}]'],
  ['a JSON string', '"qr"'],
  ['broken JSON', '{"qr":"a"'],
  ['one that is too large to be one', `{"qr":"a","more":"${'x'.repeat(300_000)}"}`],
])('%s is encoded as it stands', (_name, input) => {
  expect(qrTextOf(input)).toEqual({ text: input, field: undefined })
})
