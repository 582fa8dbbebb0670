import { caseTitle } from '@gatehouse/tds-test-server'
import type { TdsValue } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { LosslessNumber } from '@gatehouse/contract/mapping'
import { bodyText, startTestSqlsrv } from '../../../testing/test-sqlsrv.ts'

/** Type, the value in the database, and the JSON that is answered. */
const shown: [type: string, value: TdsValue, json: string][] = [
  ['tinyint', 255, '255'],
  ['smallint', -32768, '-32768'],
  ['int', -2147483648, '-2147483648'],
  ['int not null', 2147483647, '2147483647'],
  ['bigint', '9223372036854775807', '9223372036854775807'],
  ['bigint', '-9223372036854775808', '-9223372036854775808'],
  ['bigint not null', '9007199254740993', '9007199254740993'],
  ['bit', true, 'true'],
  ['bit not null', false, 'false'],
  [
    'decimal(38,10)',
    '1234567890123456789012345678.0123456789',
    '1234567890123456789012345678.0123456789',
  ],
  ['decimal(38,10)', '-0.0000000001', '-0.0000000001'],
  [
    'decimal(38,0)',
    '99999999999999999999999999999999999999',
    '99999999999999999999999999999999999999',
  ],
  ['decimal(28,5)', '12345678901234567890123.45678', '12345678901234567890123.45678'],
  ['decimal(19,4)', '123456789012345.6789', '123456789012345.6789'],
  ['numeric(9,2)', '0.10', '0.10'],
  ['numeric(9,9)', '0.123456789', '0.123456789'],
  ['money', '922337203685477.5807', '922337203685477.5807'],
  ['money not null', '-922337203685477.5808', '-922337203685477.5808'],
  ['smallmoney', '-214748.3648', '-214748.3648'],
  ['smallmoney not null', '0.0001', '0.0001'],
  ['float', 0.1, '0.1'],
  ['float not null', 1e300, '1e+300'],
  ['real', 0.1, '0.1'],
  ['real not null', 16777216, '16777216'],
  ['nvarchar(50)', 'grüße ☃ 𝄞', '"grüße ☃ 𝄞"'],
  ['nvarchar(50)', '', '""'],
  ['nvarchar(max)', 'x'.repeat(20_000), `"${'x'.repeat(20_000)}"`],
  ['nchar(3)', 'ab ', '"ab "'],
  ['varchar(20)', 'café', '"café"'],
  ['varchar(max)', 'café', '"café"'],
  ['char(4)', 'ab  ', '"ab  "'],
  ['text', 'long', '"long"'],
  ['ntext', 'löng', '"löng"'],
  ['xml', '<a b="c">ü</a>', String.raw`"<a b=\"c\">ü</a>"`],
  ['nvarchar(max)', '{"a":1}', String.raw`"{\"a\":1}"`],
  ['varbinary(8)', Buffer.from([0, 255, 16]), '"AP8Q"'],
  ['varbinary(max)', Buffer.alloc(9000, 7), `"${Buffer.alloc(9000, 7).toString('base64')}"`],
  ['binary(2)', Buffer.from([1, 2]), '"AQI="'],
  ['image', Buffer.from('img'), '"aW1n"'],
  [
    'uniqueidentifier',
    '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    '"6f9619ff-8b86-d011-b42d-00c04fc964ff"',
  ],
  ['date', '0001-01-01', '"0001-01-01"'],
  ['date', '9999-12-31', '"9999-12-31"'],
  ['time(7)', '23:59:59.9999999', '"23:59:59.9999999"'],
  ['time(0)', '07:08:09', '"07:08:09"'],
  ['datetime2(7)', '2026-11-21T07:58:40.1234567', '"2026-11-21T07:58:40.1234567"'],
  ['datetime2(3)', '0001-01-01T00:00:00.001', '"0001-01-01T00:00:00.001"'],
  ['datetime2(0)', '9999-12-31T23:59:59', '"9999-12-31T23:59:59"'],
  ['datetimeoffset(7)', '2026-11-21T00:30:00.1234567+05:30', '"2026-11-21T00:30:00.1234567+05:30"'],
  ['datetimeoffset(0)', '2026-01-01T23:00:00-08:00', '"2026-01-01T23:00:00-08:00"'],
  ['datetime', '2026-11-21T07:58:40.997', '"2026-11-21T07:58:40.997"'],
  ['datetime not null', '1753-01-01T00:00:00.003', '"1753-01-01T00:00:00.003"'],
  ['smalldatetime', '2079-06-06T23:59:00', '"2079-06-06T23:59:00"'],
  ['smalldatetime not null', '1900-01-01T00:01:00', '"1900-01-01T00:01:00"'],
]

describe('a column is answered with all its digits', () => {
  const cases = shown.map(([type, value, json]) => ({
    title: caseTitle(type, value),
    type,
    value,
    json,
  }))

  it.each(cases)('$title', async ({ type, value, json }) => {
    const { call } = await startTestSqlsrv({
      procedures: [
        {
          name: 'P',
          run: () => [{ recordset: { columns: [{ name: 'v', type }], rows: [[value]] } }],
        },
      ],
    })
    expect(bodyText(await call({ name: 'P' }))).toContain(`"recordsets":[[{"v":${json}}]]`)
  })

  it('and NULL of each type is null', async () => {
    const types = [...new Set(shown.map(([type]) => type).filter((type) => !type.endsWith('null')))]
    const columns = types.map((type, at) => ({ name: `c${at}`, type }))
    const rows = [types.map(() => null)]
    const { call } = await startTestSqlsrv({
      procedures: [{ name: 'P', run: () => [{ recordset: { columns, rows } }] }],
    })
    const nulls = columns.map(({ name }) => `"${name}":null`).join(',')
    expect(bodyText(await call({ name: 'P' }))).toContain(`[{${nulls}}]`)
  })
})

/** Type, what a caller sends, what reaches the server (as its bytes say), what comes back. */
const sent: [
  type: string,
  given: string | boolean | LosslessNumber,
  wire: TdsValue,
  json: string,
][] = [
  ['tinyint', '255', '255', '255'],
  [
    'bigint',
    new LosslessNumber('9223372036854775807'),
    '9223372036854775807',
    '9223372036854775807',
  ],
  ['int', new LosslessNumber('1e3'), '1000', '1000'],
  [
    'decimal(38,10)',
    new LosslessNumber('-1234567890123456789012345678.0123456789'),
    '-1234567890123456789012345678.0123456789',
    '-1234567890123456789012345678.0123456789',
  ],
  [
    'decimal(38,0)',
    '99999999999999999999999999999999999999',
    '99999999999999999999999999999999999999',
    '99999999999999999999999999999999999999',
  ],
  ['numeric(5,3)', '1.5', '1.500', '1.500'],
  ['money', '-922337203685477.5808', '-922337203685477.5808', '-922337203685477.5808'],
  ['smallmoney', '214748.3647', '214748.3647', '214748.3647'],
  ['float', new LosslessNumber('0.1'), 0.1, '0.1'],
  ['real', '0.5', 0.5, '0.5'],
  ['bit', true, true, 'true'],
  ['bit', '0', false, 'false'],
  ['nvarchar(max)', '☃'.repeat(9000), '☃'.repeat(9000), `"${'☃'.repeat(9000)}"`],
  ['varbinary(max)', 'AP8Q', Buffer.from([0, 255, 16]), '"AP8Q"'],
  [
    'uniqueidentifier',
    '6F9619FF-8B86-D011-B42D-00C04FC964FF',
    '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    '"6f9619ff-8b86-d011-b42d-00c04fc964ff"',
  ],
  ['date', '2026-02-28', '2026-02-28', '"2026-02-28"'],
  ['time(7)', '23:59:59.9999999', '23:59:59.9999999', '"23:59:59.9999999"'],
  [
    'datetime2(7)',
    '2026-11-21 07:58:40.1234567',
    '2026-11-21T07:58:40.1234567',
    '"2026-11-21T07:58:40.1234567"',
  ],
  ['datetime2(0)', '0001-01-01T00:00', '0001-01-01T00:00:00', '"0001-01-01T00:00:00"'],
  ['datetime', '2026-11-21T23:59:59.997', '2026-11-21T23:59:59.997', '"2026-11-21T23:59:59.997"'],
  ['smalldatetime', '2026-11-21T23:59', '2026-11-21T23:59:00.000', '"2026-11-21T23:59:00"'],
]

describe('a parameter arrives with all its digits, and comes back so', () => {
  const cases = sent.map(([type, given, wire, json]) => ({
    title: caseTitle(type, wire),
    type,
    given,
    wire,
    json,
  }))

  it.each(cases)('$title', async ({ type, given, wire, json }) => {
    const { call, server } = await startTestSqlsrv({
      procedures: [
        {
          name: 'P',
          parameters: [{ name: '@v', type, isOutput: true }],
          run: ({ value }) => [{ output: { '@v': value('@v') ?? null } }],
        },
      ],
    })
    expect(bodyText(await call({ name: 'P', values: { v: given } }))).toContain(
      `"output":{"v":${json}}`,
    )
    expect(server.calls('[dbo].[P]')[0]?.parameters).toMatchObject([{ type, value: wire }])
  })

  it('datetimeoffset in UTC with its offset beside it', async () => {
    const { call, server } = await startTestSqlsrv({
      procedures: [{ name: 'P', parameters: [{ name: '@v', type: 'datetimeoffset(7)' }] }],
    })
    await call({ name: 'P', values: { v: '2026-01-01T00:30:00.1234567+05:30' } })
    expect(server.calls('[dbo].[P]')[0]?.parameters[0]?.value).toBe(
      '2025-12-31T19:00:00.1234567Z 330',
    )
  })
})

describe('a value that would be rounded, cut or guessed at is refused', () => {
  it.each([
    ['tinyint', '256'],
    ['tinyint', '-1'],
    ['int', '1.5'],
    ['int', 'one'],
    ['int', ''],
    ['int', true],
    ['bigint', '9223372036854775808'],
    ['decimal(5,2)', '1.005'],
    ['decimal(5,2)', '1000'],
    ['money', '0.00001'],
    ['money', '922337203685477.5808'],
    ['smallmoney', '214748.3648'],
    ['float', 'Infinity'],
    ['float', '1e400'],
    ['bit', '2'],
    ['bit', 'yes'],
    ['nvarchar(3)', 'abcd'],
    ['varchar(3)', 'abcd'],
    ['varchar(9)', '\u02bc OR 1=1'],
    ['char(9)', '☃'],
    ['varbinary(2)', 'AP8Q'],
    ['varbinary(9)', 'no base64!'],
    ['uniqueidentifier', '6f9619ff'],
    ['date', '2026-02-30'],
    ['date', '2026-11-21T00:00:00'],
    ['time(3)', '07:08:09.1234'],
    ['time(0)', '24:00:00'],
    ['datetime2(7)', '2026-11-21T07:58:40Z'],
    ['datetime2(7)', '2026-11-21'],
    ['datetimeoffset(7)', '2026-11-21T07:58:40'],
    ['datetimeoffset(7)', '0001-01-01T00:00:00+01:00'],
    ['datetime', '1752-12-31T00:00:00'],
    ['smalldatetime', '2026-11-21T07:58:40'],
  ])('%s %s', async (type, given) => {
    const { call, server } = await startTestSqlsrv({
      procedures: [{ name: 'P', parameters: [{ name: '@v', type }] }],
    })
    expect(await call({ name: 'P', values: { v: given } })).toMatchObject({
      code: 'procedure.parameters',
      isSent: false,
      fields: { v: [expect.any(String)] },
    })
    expect(server.calls('[dbo].[P]')).toEqual([])
  })
})
