import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { caseTitle } from './case-title.ts'
import { runTsql } from './run-tsql.ts'
import type { TdsStep } from './tds-script.ts'
import { startTdsServer } from './tds-server.ts'
import type { TdsServerOptions } from './tds-options.ts'
import type { TdsValue } from './tds-value.ts'

// The test server replaces SQL Server in tests of the product. This test checks it with FreeTDS, which
// has spoken TDS with real servers for decades.

async function starts(options: TdsServerOptions) {
  const server = await startTdsServer(options)
  onTestFinished(() => server.close())
  return server
}

/** Type, the value in the script, what tsql prints of it. */
const printed: [type: string, value: TdsValue, print: string][] = [
  ['tinyint', 255, '255'],
  ['smallint', -32768, '-32768'],
  ['int', -2147483648, '-2147483648'],
  ['int not null', 2147483647, '2147483647'],
  ['bigint', '-9223372036854775808', '-9223372036854775808'],
  ['bigint not null', '9223372036854775807', '9223372036854775807'],
  ['bit', true, '1'],
  ['bit not null', false, '0'],
  [
    'decimal(38,10)',
    '1234567890123456789012345678.0123456789',
    '1234567890123456789012345678.0123456789',
  ],
  ['decimal(38,10)', '-0.0000000001', '-0.0000000001'],
  ['decimal(28,5)', '12345678901234567890123.45678', '12345678901234567890123.45678'],
  ['decimal(19,4)', '-123456789012345.6789', '-123456789012345.6789'],
  ['numeric(9,2)', '-0.10', '-0.10'],
  ['money', '922337203685477.5807', '922337203685477.5807'],
  ['money not null', '-922337203685477.5808', '-922337203685477.5808'],
  ['smallmoney', '-214748.3648', '-214748.3648'],
  ['float', 0.5, '0.5'],
  ['float not null', -1024, '-1024'],
  ['real', 0.25, '0.25'],
  ['real not null', 3, '3'],
  ['nvarchar(50)', 'grüße ☃ 𝄞', 'grüße ☃ 𝄞'],
  ['nvarchar(max)', 'ü'.repeat(12_000), 'ü'.repeat(12_000)],
  ['nchar(3)', 'ab ', 'ab '],
  ['varchar(20)', 'café', 'café'],
  ['varchar(max)', 'café', 'café'],
  ['char(4)', 'ab  ', 'ab  '],
  ['text', 'long', 'long'],
  ['ntext', 'löng', 'löng'],
  ['xml', '<a b="c">ü</a>', '<a b="c">ü</a>'],
  ['varbinary(8)', Buffer.from([0, 255, 16]), '00ff10'],
  ['varbinary(max)', Buffer.alloc(6000, 7), '07'.repeat(6000)],
  ['binary(2)', Buffer.from([1, 2]), '0102'],
  ['image', Buffer.from('img'), '696d67'],
  [
    'uniqueidentifier',
    '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    '6F9619FF-8B86-D011-B42D-00C04FC964FF',
  ],
  ['date', '2026-11-21', 'Nov 21 2026 12:00AM'],
  ['time(7)', '23:59:59.9999999', 'Jan  1 1900 11:59PM'],
  ['time(0)', '07:08:09', 'Jan  1 1900 07:08AM'],
  ['datetime2(7)', '2026-11-21T07:58:40.1234567', 'Nov 21 2026 07:58AM'],
  ['datetime2(3)', '1999-12-31T23:59:59.999', 'Dec 31 1999 11:59PM'],
  ['datetimeoffset(7)', '2026-11-21T00:30:00.1234567+05:30', 'Nov 21 2026 12:30AM'],
  ['datetime', '2026-11-21T07:58:40.997', 'Nov 21 2026 07:58AM'],
  ['datetime not null', '1753-01-01T13:00:00', 'Jan  1 1753 01:00PM'],
  ['smalldatetime', '2079-06-06T23:59:00', 'Jun  6 2079 11:59PM'],
]

function valueAndNull(type: string, value: TdsValue, isCompressed: boolean): TdsStep {
  const columns = [
    { name: 'v', type },
    { name: 'n', type: type.replace(' not null', '') },
  ]
  return { recordset: { columns, rows: [[value, null]], isCompressed } }
}

describe('tsql reads', () => {
  const cases = printed.map(([type, value, print]) => ({
    title: caseTitle(type, value),
    type,
    value,
    print,
  }))

  it.each(cases)('$title', async ({ type, value, print }) => {
    const server = await starts({
      script: {
        batches: {
          plain: [valueAndNull(type, value, false)],
          compressed: [valueAndNull(type, value, true)],
        },
      },
    })
    const { output, exitCode } = await runTsql(['plain', 'compressed'], { port: server.port })
    expect(output).toBe(`v|n\n${print}|NULL\n(1 row affected)\n`.repeat(2))
    expect(exitCode).toBe(0)
  })

  it('several record sets, counts, and the return status of a procedure', async () => {
    const server = await starts({
      script: {
        procedures: [
          {
            name: 'Report',
            parameters: [
              { name: '@who', type: 'nvarchar(50)' },
              { name: '@n', type: 'int' },
            ],
            run: ({ value }) => [
              {
                recordset: {
                  columns: [{ name: 'who', type: 'nvarchar(50)' }],
                  rows: [[value('@who') ?? null], ['zwei']],
                },
              },
              { rowsAffected: 3 },
              { recordset: { columns: [{ name: 'empty', type: 'int' }], rows: [] } },
              { returnValue: -7 },
            ],
          },
        ],
      },
    })
    const { output } = await runTsql(["exec Report @who = N'Zoë''s ☃', @n = 5"], {
      port: server.port,
    })
    expect(output).toBe("who\nZoë's ☃\nzwei\n(2 rows affected)\nempty\n(return status = -7)\n")
    expect(server.sqlTexts().at(-1)?.trim()).toBe("exec Report @who = N'Zoë''s ☃', @n = 5")
  })

  it('errors with number, severity and text, and what comes after them', async () => {
    const batches = {
      fails: [{ error: { number: 50_001, message: 'Auftrag für „Zoë“ fehlt.', severity: 16 } }],
      tells: [{ info: { number: 0, message: 'A print.' } }],
      works: [{ recordset: { columns: [{ name: 'a', type: 'int' }], rows: [[1]] } }],
    }
    const server = await starts({ script: { batches } })
    const all = ['fails', 'exec Missing', 'tells', 'works']
    const { output, errors } = await runTsql(all, { port: server.port })
    expect(errors).toContain('Msg 50001 (severity 16, state 1) from TDS-TEST Line 1:')
    expect(errors).toContain('"Auftrag für „Zoë“ fehlt."')
    expect(errors).toContain('Msg 2812 (severity 16, state 1)')
    expect(errors).toContain('A print.')
    expect(output).toContain('a\n1\n(1 row affected)\n')
  })

  it('10,000 rows over many packets', async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => [n, `row ${n}`])
    const columns = [
      { name: 'n', type: 'int' },
      { name: 't', type: 'nvarchar(20)' },
    ]
    const server = await starts({
      script: { batches: { all: [{ recordset: { columns, rows } }] } },
    })
    const { output } = await runTsql(['all'], { port: server.port })
    const lines = rows.map(([n, text]) => `${n}|${text}`).join('\n')
    expect(output).toBe(`n|t\n${lines}\n(10000 rows affected)\n`)
  })
})

describe('tsql signs in', () => {
  it('over TDS 7.4, with user, password and text in UTF-16', async () => {
    const server = await starts({ script: {}, password: 'pässword ☃' })
    const { exitCode, errors } = await runTsql(["select N'☃'"], {
      port: server.port,
      password: 'pässword ☃',
    })
    expect(exitCode).toBe(0)
    expect(errors).toContain('using TDS version 7.4')
    expect(server.logins).toEqual([
      expect.objectContaining({
        tdsVersion: '0x74000004',
        user: 'gatehouse',
        password: 'pässword ☃',
        application: 'TSQL',
      }),
    ])
    expect(server.sqlTexts().map((sql) => sql.trim())).toContain("select N'☃'")
  })

  it('not with another password', async () => {
    const server = await starts({ script: {} })
    const { errors, exitCode } = await runTsql(['x'], { port: server.port, password: 'wrong' })
    expect(errors).toContain('Login failed for user')
    expect(exitCode).not.toBe(0)
  })

  it('over TLS inside TDS, the certificate checked', async () => {
    const caFile = fileURLToPath(
      new URL('../../upstream/fixtures/self-signed-localhost.pem', import.meta.url),
    )
    const server = await starts({
      encryption: 'required',
      pem: readFileSync(caFile, 'utf8'),
      script: {
        batches: { q: [{ recordset: { columns: [{ name: 'a', type: 'int' }], rows: [[42]] } }] },
      },
    })
    const { output } = await runTsql(['q'], { port: server.port, encryption: 'require', caFile })
    expect(output).toBe('a\n42\n(1 row affected)\n')
    expect(server.requests.every(({ session }) => session.isEncrypted)).toBe(true)
  })
})
