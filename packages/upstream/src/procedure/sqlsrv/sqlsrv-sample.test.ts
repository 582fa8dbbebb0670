import type { TdsStep } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { startTestSqlsrv } from '../../testing/test-sqlsrv.ts'

describe('a sample', () => {
  it('runs in a transaction that is rolled back', async () => {
    const { sample, server } = await startTestSqlsrv({
      procedures: [{ name: 'P', run: () => [{ rowsAffected: 1 }] }],
    })
    expect(await sample({ name: 'P' })).toMatchObject({ ok: true, isRolledBack: true })
    const kinds = server.requests.map(({ request }) => request.kind)
    expect(kinds.slice(-3)).toEqual(['begin', 'rpc', 'rollback'])
    expect(
      server.requests.find(({ request }) => request === server.calls('[dbo].[P]')[0]),
    ).toMatchObject({
      isInTransaction: true,
    })
  })

  const mismatch: TdsStep = {
    error: {
      number: 266,
      message: 'Transaction count after EXECUTE indicates a mismatching number.',
    },
  }

  it.each<[string, TdsStep[]]>([
    ['committed', [{ commit: true }]],
    ['committed, and the server remarks on it', [{ commit: true }, mismatch]],
    ['committed and began another transaction', [{ commit: true }, { begin: true }]],
  ])('says so where the procedure %s', async (_name, steps) => {
    const { sample } = await startTestSqlsrv({ procedures: [{ name: 'P', run: () => steps }] })
    expect(await sample({ name: 'P' })).toMatchObject({ ok: true, isRolledBack: false })
  })

  it('that leaves a second transaction open fails, and everything is rolled back', async () => {
    const { sample, server } = await startTestSqlsrv({
      procedures: [{ name: 'P', run: () => [mismatch] }],
    })
    expect(await sample({ name: 'P' })).toMatchObject({ ok: false, code: 'procedure.failed' })
    await server.whenAllClosed()
  })

  it('that fails ends its connection, and the transaction with it', async () => {
    const { sample, server } = await startTestSqlsrv({
      procedures: [{ name: 'P', run: () => [{ error: { number: 2627, message: 'A key.' } }] }],
    })
    expect(await sample({ name: 'P' })).toMatchObject({ ok: false, code: 'procedure.failed' })
    await server.whenAllClosed()
    expect(server.requests.map(({ request }) => request.kind)).not.toContain('commit')
  })
})
