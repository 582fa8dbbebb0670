import { LosslessNumber } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { TdsProcedure } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { bodyText, expectAnswered, startTestSqlsrv } from '../../../testing/test-sqlsrv.ts'

const echoOf = (type: string): TdsProcedure => ({
  name: 'P',
  parameters: [{ name: '@v', type, isOutput: true }],
  run: ({ value }) => [{ output: { '@v': value('@v') ?? null } }],
})

const big = new LosslessNumber('9007199254740993')

describe('JSON', () => {
  it.each<[string, ExactJson, string, string]>([
    ['nvarchar(max)', { id: big }, '{"id":9007199254740993}', '"{\\"id\\":9007199254740993}"'],
    ['varchar(30)', [big, 'ü'], '[9007199254740993,"ü"]', '"[9007199254740993,\\"ü\\"]"'],
    ['json', { id: big }, '{"id":9007199254740993}', '{"id":9007199254740993}'],
    ['json', '{"id": 1.50}', '{"id": 1.50}', '{"id":1.50}'],
    ['json', true, 'true', 'true'],
  ])('for %s %j reaches the server as text', async (type, given, wire, json) => {
    const { call, server } = await startTestSqlsrv({ procedures: [echoOf(type)] })
    const answer = await call({ name: 'P', values: { v: given } })
    expect(bodyText(answer)).toContain(`"output":{"v":${json}}`)
    expect(server.calls('[dbo].[P]')[0]?.parameters).toMatchObject([{ value: wire }])
  })

  it('that is none is refused', async () => {
    const { call } = await startTestSqlsrv({ procedures: [echoOf('json')] })
    expect(await call({ name: 'P', values: { v: '{"id":' } })).toMatchObject({
      code: 'procedure.parameters',
      fields: { v: ['This value must be JSON.'] },
    })
  })
})

describe('a type that no value can be given for', () => {
  const procedure = { name: 'P', parameters: [{ name: '@v', type: 'geography' }] }

  it('is refused by name', async () => {
    const { call, server } = await startTestSqlsrv({ procedures: [procedure] })
    expect(await call({ name: 'P', values: { v: 'POINT(1 2)' } })).toMatchObject({
      code: 'procedure.parameters',
      fields: { v: ['Parameters of type geography cannot be given over this interface.'] },
    })
    expect(server.calls('[dbo].[P]')).toEqual([])
  })

  it('hinders no call that leaves its parameter out', async () => {
    const parameters = [{ name: '@v', type: 'geography', hasDefault: true }]
    const { call, server } = await startTestSqlsrv({ procedures: [{ name: 'P', parameters }] })
    expectAnswered(await call({ name: 'P' }))
    expect(server.calls('[dbo].[P]')[0]?.parameters).toEqual([])
  })
})

describe('a sql_variant is answered as the type it holds', () => {
  /** COLMETADATA of one sql_variant (MS-TDS 2.2.5.5.4), and a ROW: type, properties, value. */
  const answerOf = (type: number, properties: number[], value: Uint8Array) => {
    const columns = [0x81, 1, 0, 0, 0, 0, 0, 9, 0, 0x62, 0x49, 0x1f, 0, 0, 1, 0x76, 0]
    const held = Buffer.from([type, properties.length, ...properties, ...value])
    const length = Buffer.alloc(4)
    length.writeUInt32LE(held.length)
    return Buffer.concat([Buffer.from([...columns, 0xd1]), length, held])
  }
  const long = Buffer.alloc(8)
  long.writeBigInt64LE(2n ** 63n - 1n)
  const collation = [9, 4, 0xd0, 0, 0x34]

  it.each<[string, number, number[], Uint8Array, string]>([
    ['int', 0x38, [], Buffer.from([7, 0, 0, 0]), '7'],
    ['bigint', 0x7f, [], long, '9223372036854775807'],
    ['decimal(5,3)', 0x6a, [5, 3], Buffer.from([0, 0xdc, 5, 0, 0]), '-1.500'],
    ['money', 0x3c, [], Buffer.from([0, 0, 0, 0, 1, 0, 0, 0]), '0.0001'],
    ['bit', 0x32, [], Buffer.from([1]), 'true'],
    ['date', 0x28, [], Buffer.from([0, 0, 0]), '"0001-01-01"'],
    ['time(1)', 0x29, [1], Buffer.from([11, 0, 0]), '"00:00:01.1"'],
    ['datetime2(0)', 0x2a, [0], Buffer.from([1, 0, 0, 1, 0, 0]), '"0001-01-02T00:00:01"'],
    ['datetime', 0x3d, [], Buffer.from([0, 0, 0, 0, 44, 1, 0, 0]), '"1900-01-01T00:00:01.000"'],
    ['nvarchar(10)', 0xe7, [...collation, 20, 0], Buffer.from('☃', 'utf16le'), '"☃"'],
    ['varbinary(10)', 0xa5, [10, 0], Buffer.from([1, 2]), '"AQI="'],
  ])('%s', async (_type, token, properties, value, json) => {
    const raw = answerOf(token, properties, value)
    const { call } = await startTestSqlsrv({ procedures: [{ name: 'P', run: () => [{ raw }] }] })
    const answer = await call({ name: 'P' })
    expect(bodyText(answer)).toContain(`"recordsets":[[{"v":${json}}]]`)
    expect(expectAnswered(answer).columns).toEqual([[{ name: 'v', type: 'sql_variant' }]])
  })

  it.each([
    ['an unknown type', answerOf(0x99, [], Buffer.from([1]))],
    ['a bigint of two bytes', answerOf(0x7f, [], Buffer.from([1, 2]))],
  ])('and with %s fails the call', async (_name, raw) => {
    const { call } = await startTestSqlsrv({ procedures: [{ name: 'P', run: () => [{ raw }] }] })
    expect(await call({ name: 'P' })).toMatchObject({ ok: false, status: 502, isSent: true })
  })
})
