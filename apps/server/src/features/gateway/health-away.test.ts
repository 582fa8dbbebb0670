import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { relayTo, type DatabaseRelay } from '../../../test/servers/database-relay.ts'
import { createPreparedPostgres } from '../../../test/test-database.ts'
import { connect } from '../../db/connect.ts'

// SQLite can't be away.
const isSqlite = !process.env.TEST_DATABASE_URL

let postgres: NonNullable<Awaited<ReturnType<typeof createPreparedPostgres>>>
let relay: DatabaseRelay
let server: TestServer
beforeEach(async () => {
  if (isSqlite) return
  postgres = (await createPreparedPostgres())!
  relay = await relayTo(postgres.url)
  const db = connect({ kind: 'postgres', url: relay.url })
  server = await buildServer({}, undefined, { db, drop: () => db.destroy() })
})
afterEach(async () => {
  if (isSqlite) return
  await server.close()
  await relay.close()
  await postgres.drop()
})

const get = async (path: string) => {
  const { status, body, text } = await server.send('GET', path)
  return { status, body, text }
}

it.skipIf(isSqlite)(
  'health, readiness and metrics are answered while the database is away, and say so',
  async () => {
    expect(await get('/readyz')).toMatchObject({ status: 200 })
    expect((await get('/metrics')).text).toMatch(/^gatehouse_database_up 1$/m)
    await relay.goAway()
    await vi.waitFor(async () => {
      const metrics = await get('/metrics')
      expect(metrics.status).toBe(200)
      expect(metrics.text).toMatch(/^gatehouse_database_up 0$/m)
      expect(metrics.text).toContain('process_resident_memory_bytes')
      expect(metrics.text).not.toMatch(/^(runs_unknown|deliveries_|alarms_|lane_)\S* /m)
      expect(await get('/readyz')).toMatchObject({ status: 503, body: { status: 'away' } })
    })
    expect(await get('/healthz')).toMatchObject({
      status: 200,
      body: { status: 'degraded', reasons: ['The database is away.'] },
    })
    await relay.comeBack()
    await vi.waitFor(async () => {
      expect(await get('/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    })
    const { text } = await get('/metrics')
    expect(text).toMatch(/^gatehouse_database_up 1$/m)
    expect(text).toMatch(/^runs_unknown 0$/m)
  },
)
