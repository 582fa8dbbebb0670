import type { TdsStep } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { expectAnswered, expectFailed, startTestSqlsrv } from '../../testing/test-sqlsrv.ts'

const starts = (steps: TdsStep[]) =>
  startTestSqlsrv({ procedures: [{ name: 'P', run: () => steps }, { name: 'Fine' }] })

/** COLMETADATA of one column without a name, whose TYPE_INFO is given. */
const column = (...typeInfo: number[]) =>
  Buffer.from([0x81, 1, 0, 0, 0, 0, 0, 9, 0, ...typeInfo, 0])
const row = (...value: number[]) => Buffer.from([0xd1, ...value])

describe('a connection that breaks', () => {
  it.each<[string, TdsStep[]]>([
    ['before the answer', [{ cut: true }]],
    [
      'within it',
      [{ recordset: { columns: [{ name: 'n', type: 'int' }], rows: [[1]] } }, { cut: true }],
    ],
    [
      'after an error that ends it',
      [{ error: { number: 21, message: 'Fatal.', severity: 20 } }, { cut: true }],
    ],
  ])('%s fails the call as sent, and the next one gets another', async (_name, steps) => {
    const { call } = await starts(steps)
    expect(await call({ name: 'P' })).toMatchObject({
      code: 'upstream.cut',
      status: 502,
      isSent: true,
    })
    expectAnswered(await call({ name: 'Fine' }))
  })

  it('while idle is not used for the next call', async () => {
    const { call, server } = await starts([])
    expectAnswered(await call({ name: 'Fine' }))
    for (const { session } of server.requests) session.destroy()
    await server.whenAllClosed()
    // Our socket receives it in the same event loop. An earlier call would fail as cut.
    await new Promise((resolve) => setImmediate(resolve))
    const answer = await call({ name: 'Fine' })
    expect(answer.ok || answer.code === 'upstream.cut').toBe(true)
    expectAnswered(await call({ name: 'Fine' }))
  })
})

describe('a server that lies', () => {
  // Taken at its word, it would let a request be cut into packets of nothing, without end.
  it.each(['0', '8', '9', '511', '99999', '-1', 'x', ''])(
    'about the size of packets (%j) is not listened to',
    async (packetSize) => {
      const { call } = await startTestSqlsrv({ procedures: [{ name: 'P' }], packetSize })
      expectAnswered(await call({ name: 'P' }))
    },
  )

  it.each<[string, TdsStep]>([
    ['a packet shorter than its head', { rawPacket: Buffer.from([4, 1, 0, 3, 0, 0, 1, 0]) }],
    ['a token that does not exist', { raw: Buffer.from([0x00, 0x01, 0x02]) }],
    ['a type that does not exist', { raw: column(0x01) }],
    ['a row without columns before it', { raw: Buffer.concat([row(4, 1, 2, 3, 4)]) }],
    ['an int of three bytes', { raw: Buffer.concat([column(0x26, 4), row(3, 1, 2, 3)]) }],
    [
      'a decimal of six bytes',
      { raw: Buffer.concat([column(0x6a, 17, 38, 10), row(6, 1, 2, 3, 4, 5, 6)]) },
    ],
    ['a date of seven bytes', { raw: Buffer.concat([column(0x28), row(7, 1, 2, 3, 4, 5, 6, 7)]) }],
    ['a datetime2 of two bytes', { raw: Buffer.concat([column(0x2a, 7), row(2, 1, 2)]) }],
    [
      'a text whose chunks do not make up its length',
      {
        raw: Buffer.concat([
          column(0xe7, 0xff, 0xff, 9, 4, 0xd0, 0, 0x34),
          row(8, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 65, 0, 0, 0, 0, 0),
        ]),
      },
    ],
  ])('with %s fails the call, and the next one gets another connection', async (_name, step) => {
    const { call, server } = await starts([step])
    const failed = expectFailed(await call({ name: 'P' }))
    expect(['upstream.cut', 'procedure.failed']).toContain(failed.code)
    expect(failed.isSent).toBe(true)
    expectAnswered(await call({ name: 'Fine' }))
    const sessions = server.requests.filter(
      ({ request }) => request.kind === 'rpc' && request.procedure.startsWith('[dbo]'),
    )
    expect(new Set(sessions.map(({ session }) => session)).size).toBe(2)
  })

  it('about outputs that were not requested is ignored', async () => {
    // RETURNVALUE of @constructor, an int of 1.
    const name = Buffer.from('@constructor', 'utf16le')
    const token = [0xac, 0, 0, 12, ...name, 1, 0, 0, 0, 0, 0, 0, 0x26, 4, 4, 1, 0, 0, 0]
    const { call } = await starts([{ raw: Buffer.from(token) }])
    expect(expectAnswered(await call({ name: 'P' })).body.output).toEqual({})
  })

  it('about names of columns gets an answer without prototypes', async () => {
    const columns = ['__proto__', '', 'a', 'a'].map((name) => ({ name, type: 'int' }))
    const { call } = await starts([{ recordset: { columns, rows: [[1, 2, 3, 4]] } }])
    const { body } = expectAnswered(await call({ name: 'P' }))
    expect(Object.keys(body.recordsets[0]?.[0] ?? {})).toEqual([
      '__proto__',
      'column_2',
      'a',
      'a_2',
    ])
  })
})
