import { LosslessNumber } from '@gatehouse/contract/mapping'
import type { TdsStep } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { expectAnswered, expectFailed, startTestSqlsrv } from '../../testing/test-sqlsrv.ts'

const error = (number: number, message = 'the text of the database'): TdsStep => ({
  error: { number, message },
})

const fails = (steps: TdsStep[]) =>
  startTestSqlsrv({ procedures: [{ name: 'P', run: () => steps }] })

describe('an error of the database', () => {
  it.each([
    ['THROW 50000', [error(50_000, 'Order 7 is closed.')], 'procedure.rejected', 422, true],
    ['RAISERROR 60123', [error(60_123, 'Stock is gone.')], 'procedure.rejected', 422, true],
    ['a deadlock', [error(1205)], 'procedure.busy', 503, true],
    ['a lock time-out', [error(1222)], 'procedure.busy', 503, true],
    ['too many requests (Azure)', [error(10_928)], 'procedure.busy', 503, true],
    ['too many sessions (Azure)', [error(10_929)], 'procedure.busy', 503, true],
    ['no memory', [error(701)], 'procedure.busy', 503, true],
    ['a permission within', [error(229)], 'procedure.forbidden', 403, true],
    ['a duplicate key', [error(2627)], 'procedure.failed', 502, true],
    ['a conversion within', [error(8114)], 'procedure.failed', 502, true],
    ['a procedure that is missing within', [error(2812)], 'procedure.failed', 502, true],
  ])('%s', async (_name, steps, code, status, isSent) => {
    const { call } = await fails(steps)
    expect(await call({ name: 'P' })).toMatchObject({ ok: false, code, status, isSent })
  })

  it('that its author wrote goes to the caller, any other to the log only', async () => {
    const own = await (await fails([error(50_001, 'Order 7 is closed.')])).call({ name: 'P' })
    expect(own).toMatchObject({ message: 'Order 7 is closed.' })
    const other = expectFailed(
      await (await fails([error(2627, 'key dbo.Secret')])).call({ name: 'P' }),
    )
    expect(other.message).not.toContain('Secret')
    expect(other.detail).toBe('2627: key dbo.Secret')
  })

  it('that was rethrown is the author’s, whatever came before', async () => {
    const { call } = await fails([error(2627), error(50_000, 'Already there.'), error(266)])
    expect(await call({ name: 'P' })).toMatchObject({
      code: 'procedure.rejected',
      message: 'Already there.',
    })
  })

  it('after rows fails the call: half an answer is none', async () => {
    const { call } = await fails([
      { recordset: { columns: [{ name: 'a', type: 'int' }], rows: [[1]] } },
      error(50_000, 'Then this.'),
    ])
    expect(await call({ name: 'P' })).toMatchObject({ ok: false, code: 'procedure.rejected' })
  })

  it('says when to come again after a conflict, and later where the server is full', async () => {
    expect(await (await fails([error(1205)])).call({ name: 'P' })).toMatchObject({
      retryAfterSeconds: 1,
    })
    expect(await (await fails([error(10_929)])).call({ name: 'P' })).toMatchObject({
      retryAfterSeconds: 5,
    })
  })

  it('leaves the connection in use', async () => {
    const { call, server } = await fails([error(50_000)])
    for (let count = 0; count < 5; count++) await call({ name: 'P' })
    expect(server.logins.length).toBeLessThanOrEqual(2)
  })

  it('and messages that are none are passed over', async () => {
    const { call } = await fails([
      { info: { number: 50_000, message: 'PRINT' } },
      { returnValue: 3 },
    ])
    const { body } = expectAnswered(await call({ name: 'P' }))
    expect(body.returnValue).toEqual(new LosslessNumber('3'))
  })
})

describe('a refusal of the call itself proves that nothing ran', () => {
  it.each([
    [
      229,
      "The EXECUTE permission was denied on the object 'P', database 'erp', schema 'dbo'.",
      'procedure.forbidden',
      403,
    ],
    [2812, "Could not find stored procedure '[dbo].[P]'.", 'procedure.not_found', 502],
    [2812, "Could not find stored procedure 'dbo.P'.", 'procedure.not_found', 502],
    [8144, 'Procedure or function P has too many arguments specified.', 'procedure.changed', 502],
    [8145, '@a is not a parameter for procedure P.', 'procedure.changed', 502],
    [
      201,
      "Procedure or function 'P' expects parameter '@new', which was not supplied.",
      'procedure.changed',
      502,
    ],
  ])('%i %s', async (number, message, code, status) => {
    const { call } = await fails([error(number, message)])
    expect(await call({ name: 'P' })).toMatchObject({ ok: false, code, status, isSent: false })
  })

  it.each<[string, TdsStep[]]>([
    [
      'it speaks of a table of the same name',
      [error(229, "The SELECT permission was denied on the object 'P', schema 'sales'.")],
    ],
    [
      'it speaks of a procedure of the same name in another schema',
      [error(229, "The EXECUTE permission was denied on the object 'P', schema 'sales'.")],
    ],
    [
      'it speaks of a missing procedure of the same name in another schema',
      [error(2812, "Could not find stored procedure 'sales.P'.")],
    ],
    [
      'rows came before it',
      [
        { recordset: { columns: [{ name: 'a', type: 'int' }], rows: [] } },
        error(8145, '@a is not a parameter for procedure P.'),
      ],
    ],
    [
      'rows were changed before it',
      [{ rowsAffected: 1 }, error(2812, "Could not find stored procedure 'dbo.P'.")],
    ],
    [
      'another error came before it',
      [error(2627), error(8145, '@a is not a parameter for procedure P.')],
    ],
  ])('but not where %s', async (_name, steps) => {
    const { call } = await fails(steps)
    expect(await call({ name: 'P' })).toMatchObject({ ok: false, isSent: true })
  })

  it('and the catalogue is read again for the next call', async () => {
    const steps = [error(8145, '@a is not a parameter for procedure P.')]
    const { call, server } = await fails(steps)
    await call({ name: 'P' })
    await call({ name: 'P' })
    expect(server.sqlTexts().filter((sql) => sql.includes('sys.parameters'))).toHaveLength(2)
  })
})
