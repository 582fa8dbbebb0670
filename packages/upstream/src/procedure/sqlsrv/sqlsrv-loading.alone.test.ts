import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { expectAnswered, startTestSqlsrv } from '../../testing/test-sqlsrv.ts'

describe('the driver', () => {
  it('is loaded by the first call to a SQL Server, not before', async () => {
    const { cache } = createRequire(import.meta.url)
    const isLoaded = () => Object.keys(cache).some((file) => /[\\/]tedious[\\/]/.test(file))
    const { call } = await startTestSqlsrv({ procedures: [{ name: 'P' }] })
    const wasLoaded = isLoaded()
    expectAnswered(await call({ name: 'P' }))
    expect([wasLoaded, isLoaded()]).toEqual([false, true])
  })
})
