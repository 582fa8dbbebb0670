import { randomBytes } from 'node:crypto'
import type { ConfigSnapshot } from '@gatehouse/contract'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { buildServer, httpApi } from '../../../test/servers/build-server.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { connect, type Db } from '../../db/connect.ts'
import { isPostgres } from '../../db/dialect.ts'
import { systemClock } from '../../kernel/clock.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'
import { inTransactionOn } from '../../stores.ts'
import { sealGatewayKey } from './gateway-configs.ts'
import { createGatewaySeal } from './gateway-seal.ts'

const account = 'edge'

/** A control plane that keeps configurations for gateways of one account; undefined on SQLite, which has none. */
async function startControl() {
  const database = await createTestDatabase()
  const { db } = database
  if (!isPostgres(db)) {
    await database.drop()
    return undefined
  }
  const secrets = createSecretBox(randomBytes(32))
  const environment = { ROLE: 'control', DATABASE_URL: process.env['TEST_DATABASE_URL'] }
  const beside = { secrets, instanceId: 'control' }
  const server = await buildServer(environment, undefined, database, beside)
  onTestFinished(() => server.close())
  const key = randomBytes(32)
  await server.stores.gatewayAccounts.insert({
    name: account,
    key_encrypted: sealGatewayKey(secrets, account, key),
    created_at: systemClock.now().toISOString(),
  })
  const rowOf = () => db.selectFrom('gateway_config').selectAll().executeTakeFirst()
  return {
    db,
    rowOf,
    server,
    create: async (name: string) => {
      const body = httpApi({ name })
      const { status } = await server.send('POST', '/api/apis', { token: server.admin.token, body })
      expect(status).toBe(201)
    },
    /** What gateways of the account read. */
    namesKept: async () => {
      const { sealed } = (await rowOf())!
      const opened = await createGatewaySeal(key).open(sealed, { kind: 'config', account })
      return (opened as ConfigSnapshot).apis.map(({ name }) => name)
    },
  }
}

it('what a standby lacks that took over is kept for gateways again, without another change', async () => {
  const control = await startControl()
  if (!control) return
  const { db, rowOf, server, create, namesKept } = control
  await create('First')
  const before = await rowOf()
  await create('Second')
  const kept = await rowOf()
  // The change has come to the standby, the row for gateways has not.
  await db.updateTable('gateway_config').set(before!).execute()
  expect(await namesKept()).toEqual(['First'])
  await server.publisher.publish()
  expect(await namesKept()).toEqual(['First', 'Second'])
  expect(await rowOf()).toMatchObject({ revision: kept!.revision, mark: kept!.mark })
  expect(server.publisher.stepsBack).toBe(0)
})

it('a change that another server’s change overtakes is kept for gateways when it is answered', async () => {
  const control = await startControl()
  if (!control) return
  const { db, rowOf, server, create, namesKept } = control
  await create('First')
  const name = await databaseOf(db)
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '')
  url.pathname = `/${name}`
  const other = connect({ kind: 'postgres', url: url.href })
  onTestFinished(() => other.destroy())
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
  // The other server holds the row, as it does for an account that is made or removed.
  const held = Promise.withResolvers<void>()
  const holding = other.transaction().execute(async (transaction) => {
    await sql`select 1 from gateway_account for update`.execute(transaction)
    held.resolve()
    await mayGoOn
  })
  await held.promise
  const second = create('Second')
  await expect.poll(() => waitingIn(other, name)).toBe(1)
  // It has changed something, and dies before it has kept anything.
  await inTransactionOn(other, systemClock)(({ revisions }) => revisions.bump())
  goOn()
  await Promise.all([holding, second])
  expect(await namesKept()).toEqual(['First', 'Second'])
  expect(await rowOf()).toMatchObject(await server.stores.revisions.get())
})

const databaseOf = async (db: Db) =>
  (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]!.name

async function waitingIn(db: Db, name: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting
    from pg_stat_activity where datname = ${name} and wait_event_type = 'Lock'`.execute(db)
  return rows[0]!.waiting
}
