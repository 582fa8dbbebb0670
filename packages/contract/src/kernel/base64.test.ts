import { describe, expect, it } from 'vitest'
import { isBase64, withoutDataUrl } from './base64.ts'

describe('Base64', () => {
  it.each([
    'AQ==',
    'AQI=',
    'AQID',
    'AQ',
    'AQI',
    '+/+/',
    '-_-_',
    'AQ\r\nID\n',
    'A\nQ=\n=',
    'x'.repeat(400_000),
  ])('is %j', (text) => expect(isBase64(text)).toBe(true))

  it.each([
    ['empty', ''],
    ['line breaks alone', '\r\n'],
    ['padding alone', '=='],
    ['one letter too many', 'AQIDB'],
    ['too little padding', 'AQ='],
    ['too much padding', 'AQID='],
    ['three pads', 'A==='],
    ['letters after the padding', 'AQ==AQ=='],
    ['a blank, which a plus sign becomes in a form', 'AQ ID'],
    ['a tab', 'AQ\tID'],
    ['a percent sign', 'AQ%3D%3D'],
    ['JSON', '{"EINV_QR":"AQID"}'],
    ['another alphabet', 'АQID'],
    ['a NUL', 'AQI\0'],
  ])('is not %s', (_name, text) => expect(isBase64(text)).toBe(false))
})

it.each([
  ['data:image/png;base64,AQID', 'AQID'],
  ['DATA:image/svg+xml;charset=utf-8;BASE64,AQID', 'AQID'],
  ['data:;base64,AQID', 'AQID'],
  ['data:image/svg+xml,<svg/>', 'data:image/svg+xml,<svg/>'],
  ['AQID', 'AQID'],
])('the data of %s is %s', (text, data) => expect(withoutDataUrl(text)).toBe(data))
