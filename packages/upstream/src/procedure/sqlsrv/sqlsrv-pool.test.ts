import { LosslessNumber } from '@gatehouse/contract/mapping'
import type { TdsServer } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { expectAnswered, startTestSqlsrv } from '../../testing/test-sqlsrv.ts'

/** Names of procedures called, and of batches whether they reset the session. */
const sequenceOf = ({ requests }: TdsServer) =>
  requests.map(({ request, hasReset }) => {
    if (request.kind === 'rpc') return request.procedure
    return hasReset ? 'reset' : 'settings'
  })

describe('the pool', () => {
  it('answers 200 calls at once over at most 10 connections, none mixed up', async () => {
    const { call, server } = await startTestSqlsrv({
      procedures: [
        {
          name: 'Echo',
          parameters: [{ name: '@n', type: 'int', isOutput: true }],
          run: ({ value }) => [{ output: { '@n': value('@n') ?? null } }],
        },
      ],
    })
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => call({ name: 'Echo', values: { n: String(n) } })),
    )
    const outputs = answers.map((answer) => expectAnswered(answer).body.output['n'])
    expect(outputs).toEqual(Array.from({ length: 200 }, (_, n) => new LosslessNumber(String(n))))
    expect(server.openPeak).toBeLessThanOrEqual(10)
    expect(server.openPeak).toBeGreaterThan(1)
  })

  it('gives a session to the next call only after a reset', async () => {
    const { call, server } = await startTestSqlsrv({
      procedures: [{ name: 'P' }],
      connection: { poolSize: 1 },
    })
    expectAnswered(await call({ name: 'P' }))
    expectAnswered(await call({ name: 'P' }))
    // The last reset may be under way.
    expect(sequenceOf(server).slice(0, 6)).toEqual([
      'settings',
      'sp_executesql',
      'reset',
      '[dbo].[P]',
      'reset',
      '[dbo].[P]',
    ])
    expect(server.logins).toHaveLength(1)
  })

  it('ends a session in which a transaction was left open, and fails the call', async () => {
    const { call, server } = await startTestSqlsrv({
      procedures: [{ name: 'Leaves', run: () => [{ begin: true }] }],
      connection: { poolSize: 1 },
    })
    const failed = { code: 'procedure.failed', status: 502, isSent: true }
    expect(await call({ name: 'Leaves' })).toMatchObject(failed)
    expect(await call({ name: 'Leaves' })).toMatchObject(failed)
    expect(sequenceOf(server)).toEqual([
      'settings',
      'sp_executesql',
      'reset',
      '[dbo].[Leaves]',
      'settings',
      '[dbo].[Leaves]',
    ])
  })
})
