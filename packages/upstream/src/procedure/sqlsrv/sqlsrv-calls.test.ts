import { LosslessNumber } from '@gatehouse/contract/mapping'
import type { TdsProcedure } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { bodyText, expectAnswered, startTestSqlsrv } from '../../testing/test-sqlsrv.ts'

const findOrder: TdsProcedure = {
  name: 'FindOrder',
  parameters: [
    { name: '@id', type: 'int' },
    { name: '@note', type: 'nvarchar(50)' },
    { name: '@total', type: 'decimal(18,2)', isOutput: true },
  ],
  run: () => [
    {
      recordset: {
        columns: [
          { name: 'id', type: 'int not null' },
          { name: 'name', type: 'nvarchar(50)' },
        ],
        rows: [
          [1, 'one'],
          [2, null],
        ],
      },
    },
    { rowsAffected: 3 },
    { recordset: { columns: [{ name: 'x', type: 'bit' }], rows: [], isCompressed: true } },
    { output: { '@total': '12.50' } },
    { returnValue: -7 },
  ],
}

describe('an answer', () => {
  it('holds all record sets, outputs, return value and counts', async () => {
    const { call } = await startTestSqlsrv({ procedures: [findOrder] })
    const answer = await call({
      name: 'FindOrder',
      values: { id: new LosslessNumber('1'), note: 'n' },
    })
    expect(bodyText(answer)).toBe(
      '{"recordsets":[[{"id":1,"name":"one"},{"id":2,"name":null}],[]],"output":{"total":12.50},"returnValue":-7,"rowsAffected":[3]}',
    )
    expect(expectAnswered(answer).columns).toEqual([
      [
        { name: 'id', type: 'int' },
        { name: 'name', type: 'nvarchar' },
      ],
      [{ name: 'x', type: 'bit' }],
    ])
  })

  it('has the same shape where there is nothing in it', async () => {
    const { call } = await startTestSqlsrv({ procedures: [{ name: 'Nothing' }] })
    expect(bodyText(await call({ name: 'Nothing' }))).toBe(
      '{"recordsets":[],"output":{},"returnValue":0,"rowsAffected":[]}',
    )
  })

  it('keeps an output that is NULL, and rows in compressed form', async () => {
    const columns = Array.from({ length: 11 }, (_, at) => ({ name: `c${at}`, type: 'int' }))
    const rows = [columns.map((_, at) => (at % 3 === 0 ? at : null))]
    const { call } = await startTestSqlsrv({
      procedures: [
        {
          name: 'P',
          parameters: [{ name: '@out', type: 'int', isOutput: true }],
          run: () => [{ recordset: { columns, rows, isCompressed: true } }],
        },
      ],
    })
    const { body } = expectAnswered(await call({ name: 'P' }))
    expect(Object.values(body.recordsets[0]?.[0] ?? {}).map(String)).toEqual(
      columns.map((_, at) => (at % 3 === 0 ? String(at) : 'null')),
    )
    expect(body.output).toEqual({ out: null })
  })
})

describe('parameters', () => {
  it('are bound by name with the types of the catalogue', async () => {
    const { call, server } = await startTestSqlsrv({ procedures: [findOrder] })
    await call({ name: 'FindOrder', values: { note: 'ünïcödé ☃', id: '7', total: '1.5' } })
    expect(server.calls('[dbo].[FindOrder]')).toEqual([
      {
        kind: 'rpc',
        procedure: '[dbo].[FindOrder]',
        parameters: [
          { name: '@id', type: 'int', value: '7', isOutput: false },
          { name: '@note', type: 'nvarchar(50)', value: 'ünïcödé ☃', isOutput: false },
          { name: '@total', type: 'decimal(18,2)', value: '1.50', isOutput: true },
        ],
      },
    ])
  })

  it('that are unknown are all named, and nothing is called', async () => {
    const { call, server } = await startTestSqlsrv({ procedures: [findOrder] })
    const answer = await call({ name: 'FindOrder', values: { id: '1', nope: '1', nor: null } })
    expect(answer).toMatchObject({
      ok: false,
      code: 'procedure.parameters',
      status: 422,
      isSent: false,
      fields: { nope: [expect.any(String)], nor: [expect.any(String)] },
    })
    expect(server.calls('[dbo].[FindOrder]')).toEqual([])
  })

  it('that are missing are refused by the server, which alone knows their defaults', async () => {
    const procedure = {
      name: 'P',
      parameters: [
        { name: '@a', type: 'int' },
        { name: '@b', type: 'int', hasDefault: true },
      ],
    }
    const { call } = await startTestSqlsrv({ procedures: [procedure] })
    expect(await call({ name: 'P', values: { b: '1' } })).toMatchObject({
      code: 'procedure.parameters',
      status: 422,
      isSent: false,
      fields: { a: ['This parameter is required.'] },
    })
    expectAnswered(await call({ name: 'P', values: { a: '1' } }))
  })

  it('whose values do not fit are all named, and nothing is called', async () => {
    const { call, server } = await startTestSqlsrv({ procedures: [findOrder] })
    const values = { id: '2147483648', note: 'n'.repeat(51), total: '1.005' }
    expect(await call({ name: 'FindOrder', values })).toMatchObject({
      code: 'procedure.parameters',
      isSent: false,
      fields: {
        id: ['This number must lie within -2147483648 and 2147483647.'],
        note: ['This text is longer than 50 characters.'],
        total: ['This number has more than 2 digits behind the point.'],
      },
    })
    expect(server.calls('[dbo].[FindOrder]')).toEqual([])
  })
})

describe('names', () => {
  const odd: TdsProcedure = { schema: 'odd ]schema', name: "it's [a].procedure;--" }
  const other: TdsProcedure = { schema: 'sales', name: 'Report' }

  it.each([
    ['sales.Report', '[sales].[Report]'],
    ['[sales].[Report]', '[sales].[Report]'],
    ['"sales"."Report"', '[sales].[Report]'],
    ["[odd ]]schema].[it's [a]].procedure;--]", "[odd ]]schema].[it's [a]].procedure;--]"],
    ["odd ]schema.it's [a].procedure;--", "[odd ]]schema].[it's [a]].procedure;--]"],
  ])('%s is called as %s', async (written, called) => {
    const { call, server } = await startTestSqlsrv({ procedures: [odd, other] })
    expectAnswered(await call({ name: written }))
    expect(server.calls(called)).toHaveLength(1)
  })

  it.each(['Report', 'nope', 'sales.', '.Report', '', 'a.b.c', 'x\u0000y', '[sales].[Report'])(
    '%j is not found',
    async (written) => {
      const { call } = await startTestSqlsrv({ procedures: [odd, other] })
      expect(await call({ name: written })).toMatchObject({
        code: 'procedure.not_found',
        isSent: false,
      })
    },
  )
})

describe('the catalogue', () => {
  it('is listed with directions, types and bounds, the own schema first', async () => {
    const parameters = [
      { name: '@a', type: 'nvarchar(20)' },
      { name: '@b', type: 'varbinary(max)' },
      { name: '@c', type: 'numeric(38,10)', isOutput: true },
      { name: '@d', type: 'datetime2(3)' },
    ]
    const { list } = await startTestSqlsrv({
      procedures: [{ name: 'Empty' }, { schema: 'sales', name: 'Full', parameters }],
    })
    const none = { precision: null, scale: null, maxLength: null, hasDefault: true }
    expect(await list()).toMatchObject({
      ok: true,
      isComplete: true,
      procedures: [
        { schema: 'dbo', name: 'Empty', parameters: [], isReadOnly: false },
        {
          schema: 'sales',
          name: 'Full',
          parameters: [
            { ...none, name: 'a', direction: 'in', type: 'nvarchar', maxLength: 20 },
            { ...none, name: 'b', direction: 'in', type: 'varbinary' },
            { ...none, name: 'c', direction: 'inout', type: 'numeric', precision: 38, scale: 10 },
            { ...none, name: 'd', direction: 'in', type: 'datetime2', scale: 3 },
          ],
        },
      ],
    })
  })

  it('is read once for many calls', async () => {
    const { call, server } = await startTestSqlsrv({ procedures: [{ name: 'P' }] })
    for (let count = 0; count < 3; count++) expectAnswered(await call({ name: 'P' }))
    expect(server.sqlTexts().filter((sql) => sql.includes('sys.parameters'))).toHaveLength(1)
  })
})
