import type { TdsProcedure } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { bodyText, expectAnswered, startTestSqlsrv } from '../../testing/test-sqlsrv.ts'

const poisons = [
  "'; DROP TABLE orders;--",
  "' OR '1'='1",
  "1; EXEC xp_cmdshell N'dir'",
  '@id',
  ']; SHUTDOWN;--',
  '"; SHUTDOWN;--',
  "N''+(SELECT @@version)+'",
  'a\u0000b',
  '\r\nGO\r\nDROP TABLE orders',
  '\u02bc OR 1=1',
  '\ud800 alone',
  '-- /* */',
]

const echo: TdsProcedure = {
  name: 'Echo',
  parameters: [
    { name: '@short', type: 'nvarchar(100)', isOutput: true },
    { name: '@long', type: 'nvarchar(max)' },
    { name: '@narrow', type: 'varchar(100)' },
    { name: '@xml', type: 'xml' },
  ],
  run: ({ value }) => [{ output: { '@short': value('@short') ?? null } }],
}

describe('a value', () => {
  it.each(poisons)('%j is bound unchanged, and is in no SQL text', async (poison) => {
    const { call, server } = await startTestSqlsrv({ procedures: [echo] })
    // Beyond its code page a text is not for varchar.
    const narrow = /[^\0-\xff]/.test(poison) ? 'plain' : poison
    const values = { short: poison, long: poison, narrow, xml: poison }
    const answer = await call({ name: 'Echo', values })
    expect(bodyText(answer)).toContain(`"output":{"short":${JSON.stringify(poison)}}`)
    const [{ parameters } = { parameters: [] }] = server.calls('[dbo].[Echo]')
    expect(parameters.map(({ value }) => value)).toEqual([poison, poison, narrow, poison])
    expect(server.sqlTexts().filter((sql) => sql.includes(poison))).toEqual([])
  })

  it.each(poisons)('%j is no number, date, UUID, bit or binary', async (poison) => {
    const types = [
      'int',
      'decimal(10,2)',
      'float',
      'money',
      'date',
      'datetime2(7)',
      'uniqueidentifier',
      'bit',
      'varbinary(max)',
    ]
    const parameters = types.map((type, at) => ({ name: `@p${at}`, type }))
    const { call, server } = await startTestSqlsrv({ procedures: [{ name: 'P', parameters }] })
    const values = Object.fromEntries(types.map((_, at) => [`p${at}`, poison]))
    const answer = await call({ name: 'P', values })
    expect(answer).toMatchObject({ code: 'procedure.parameters', isSent: false })
    expect(Object.keys(answer.ok ? {} : (answer.fields ?? {}))).toHaveLength(types.length)
    expect(server.calls('[dbo].[P]')).toEqual([])
  })
})

describe('a procedure’s name', () => {
  it.each(poisons)('%j is looked up as a bound value, and not called', async (poison) => {
    const { call, server } = await startTestSqlsrv({ procedures: [echo] })
    expect(await call({ name: poison })).toMatchObject({
      code: 'procedure.not_found',
      isSent: false,
    })
    expect(server.sqlTexts().filter((sql) => sql.includes(poison))).toEqual([])
    const called = server.requests.flatMap(({ request }) =>
      request.kind === 'rpc' ? [request.procedure] : [],
    )
    expect(called.filter((name) => name !== 'sp_executesql')).toEqual([])
  })

  it.each(poisons.filter((poison) => !/\p{Cc}/u.test(poison)))(
    '%j that does exist is called by one quoted name',
    async (poison) => {
      const { call, server } = await startTestSqlsrv({
        procedures: [{ name: poison, run: () => [{ returnValue: 5 }] }],
      })
      const quoted = `[${poison.replaceAll(']', ']]')}]`
      expect(bodyText(await call({ name: `[dbo].${quoted}` }))).toContain('"returnValue":5')
      expect(server.calls(`[dbo].${quoted}`)).toHaveLength(1)
      expect(server.sqlTexts().filter((sql) => sql.includes(poison))).toEqual([])
    },
  )
})

describe('a parameter’s name', () => {
  it.each([...poisons, '__proto__', 'constructor'])('%j is unknown', async (poison) => {
    const { call, server } = await startTestSqlsrv({ procedures: [echo] })
    const values = Object.fromEntries([[poison, 'x']])
    expect(await call({ name: 'Echo', values })).toMatchObject({
      code: 'procedure.parameters',
      isSent: false,
    })
    expect(server.calls('[dbo].[Echo]')).toEqual([])
  })

  it('of the catalogue is sent as a name, whatever it holds', async () => {
    const name = "@x'; DROP TABLE orders;--"
    const { call, server } = await startTestSqlsrv({
      procedures: [{ name: 'P', parameters: [{ name, type: 'int' }] }],
    })
    expectAnswered(await call({ name: 'P', values: { [name.slice(1)]: '1' } }))
    expect(server.calls('[dbo].[P]')[0]?.parameters.map((each) => each.name)).toEqual([name])
    expect(server.sqlTexts().filter((sql) => sql.includes('DROP'))).toEqual([])
  })
})
