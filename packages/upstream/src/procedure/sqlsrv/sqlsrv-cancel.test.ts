import type { TdsStep } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { expectAnswered, startTestSqlsrv } from '../../testing/test-sqlsrv.ts'
import type { TestSqlsrvOptions } from '../../testing/test-sqlsrv.ts'

const starts = (steps: TdsStep[], options: TestSqlsrvOptions = {}) =>
  startTestSqlsrv({
    procedures: [{ name: 'P', run: () => steps }],
    connection: { poolSize: 1 },
    ...options,
  })

const aRow: TdsStep = { recordset: { columns: [{ name: 'n', type: 'int' }], rows: [[1]] } }

function* endlessRows() {
  for (let n = 0; ; n = (n + 1) % 1000) yield [n]
}

/**
 * A procedure that runs until it is cancelled. `called()` resolves at its next call, so that tests
 * end it when it runs. Where time must end it, connection and signature are there beforehand.
 */
async function startHanging(options: TestSqlsrvOptions = {}, first: TdsStep[] = []) {
  let called = Promise.withResolvers<void>()
  const run = () => {
    called.resolve()
    called = Promise.withResolvers<void>()
    return [...first, { wait: 'attention' as const }]
  }
  const started = await startTestSqlsrv({
    procedures: [{ name: 'P', run }],
    connection: { poolSize: 1 },
    ...options,
  })
  await started.describe('P')
  return { ...started, called: () => called.promise }
}

const callTimeoutMs = 1_000

it('a procedure is not called where the right to call it has ended', async () => {
  const { call, server } = await startHanging()
  const answer = await call({ name: 'P', maySend: () => false })
  expect(answer).toMatchObject({ ok: false, code: 'procedure.cancelled', isSent: false })
  expect(server.attentions).toBe(0)
})

describe('time that is up', () => {
  it('answers 504, and the statement is cancelled on the server', async () => {
    const { call, server } = await startHanging()
    expect(await call({ name: 'P', timeoutMs: callTimeoutMs })).toMatchObject({
      ok: false,
      code: 'upstream.timeout',
      status: 504,
      isSent: true,
    })
    await server.whenAllClosed()
    expect(server.attentions).toBe(1)
  })

  it('counts to the end of the answer, not to its beginning', async () => {
    const { call, server } = await startHanging({}, [aRow])
    expect(await call({ name: 'P', timeoutMs: callTimeoutMs })).toMatchObject({
      code: 'upstream.timeout',
    })
    await server.whenAllClosed()
  })

  it('while all connections are taken says that nothing was called', async () => {
    const { call, server, called } = await startHanging()
    const leaving = new AbortController()
    const running = called()
    const first = call({ name: 'P', signal: leaving.signal })
    await running
    expect(await call({ name: 'P', timeoutMs: 50 })).toMatchObject({
      code: 'procedure.busy',
      status: 503,
      isSent: false,
    })
    leaving.abort()
    await first
    expect(server.calls('[dbo].[P]')).toHaveLength(1)
  })
})

describe('a caller that leaves', () => {
  async function leaveDuringCall(options: TestSqlsrvOptions = {}) {
    const started = await startHanging(options)
    const leaving = new AbortController()
    const running = started.called()
    const answering = started.call({ name: 'P', signal: leaving.signal })
    await running
    leaving.abort()
    return { ...started, answer: await answering }
  }

  it('cancels the call on the server', async () => {
    const { answer, server } = await leaveDuringCall()
    expect(answer).toMatchObject({ code: 'procedure.cancelled', isSent: true })
    await server.whenAllClosed()
    expect(server.attentions).toBe(1)
  })

  it('ends the connection where the server does not confirm', async () => {
    const { server } = await leaveDuringCall({ ignoresAttention: true })
    await server.whenAllClosed()
    expect(server.attentions).toBe(1)
  })

  it('before the call finds nothing called', async () => {
    const { call, server } = await starts([])
    expect(await call({ name: 'P', signal: AbortSignal.abort() })).toMatchObject({
      code: 'procedure.cancelled',
      isSent: false,
    })
    expect(server.requests).toEqual([])
  })

  it('leaves no connection behind that another call would get', async () => {
    const { call, called, server } = await leaveDuringCall()
    const leaving = new AbortController()
    const running = called()
    const second = call({ name: 'P', signal: leaving.signal })
    await running
    leaving.abort()
    await second
    const sessions = server.requests
      .filter(({ request }) => request.kind === 'rpc' && request.procedure === '[dbo].[P]')
      .map(({ session }) => session)
    expect(sessions).toHaveLength(2)
    expect(new Set(sessions).size).toBe(2)
  })
})

describe('an answer beyond its bounds', () => {
  const rows = { columns: [{ name: 'n', type: 'int' }], rows: endlessRows() }

  it('of 10,000 rows is answered', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => [n])
    const { call } = await starts([{ recordset: { columns: rows.columns, rows: many } }])
    const { body } = expectAnswered(await call({ name: 'P' }))
    expect(body.recordsets[0]).toHaveLength(10_000)
  })

  it('of more rows is refused while it streams, and cancelled', async () => {
    const { call, server } = await starts([{ recordset: rows }])
    expect(await call({ name: 'P' })).toMatchObject({
      code: 'procedure.too_many_rows',
      isSent: true,
    })
    await server.whenAllClosed()
    expect(server.attentions).toBe(1)
  })

  it('of too many bytes in many rows', async () => {
    const { call, server } = await starts([{ recordset: { ...rows, rows: endlessRows() } }])
    expect(await call({ name: 'P', maxRows: 10_000_000, maxBytes: 10_000 })).toMatchObject({
      code: 'procedure.too_large',
    })
    await server.whenAllClosed()
  })

  it('of one value without end is refused before it is whole', async () => {
    const head = Buffer.from([
      0x81, 1, 0, 0, 0, 0, 0, 9, 0, 0xe7, 0xff, 0xff, 9, 4, 0xd0, 0, 0x34, 0,
    ])
    // ROW, a length that is not known, and one chunk of 2 GiB.
    const row = Buffer.from([0xd1, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x7f])
    const chunks = Array.from({ length: 40 }, () => ({ raw: Buffer.alloc(1_000_000, 65) }))
    const { call } = await starts([
      { raw: Buffer.concat([head, row]) },
      ...chunks,
      { wait: 'attention' },
    ])
    expect(await call({ name: 'P' })).toMatchObject({ code: 'procedure.too_large' })
  })
})
