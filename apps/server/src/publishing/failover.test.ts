import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../test/servers/build-server.ts'
import { recordingGateway } from '../../test/servers/recording-gateway.ts'
import { openRestorable } from '../../test/restored-database.ts'
import { createPreparedPostgres } from '../../test/test-database.ts'
import { connect } from '../db/connect.ts'

const create = async ({ send, admin }: TestServer, name: string) =>
  (await send('POST', '/api/apis', { token: admin.token, body: httpApi({ name }) })).status

const apisOf = ({ published }: ReturnType<typeof recordingGateway>) =>
  published.at(-1)?.apis.map(({ name }) => name)

/** Two servers with gateways on one PostgreSQL; undefined on SQLite, which has one server. */
async function startTwo() {
  const shared = await createPreparedPostgres()
  if (!shared) return undefined
  const [db, other] = [1, 2].map(() => connect({ kind: 'postgres', url: shared.url }))
  const gateways = [recordingGateway(), recordingGateway()] as const
  const first = await buildServer({ DATABASE_URL: shared.url }, gateways[0].link, {
    db: db!,
    drop: () => db!.destroy(),
  })
  const second = await buildServer(
    { DATABASE_URL: shared.url },
    gateways[1].link,
    { db: other!, drop: () => other!.destroy() },
    { secrets: first.secrets, instanceId: randomUUID() },
  )
  await Promise.all([first.publisher.start(), second.publisher.start()])
  const restorable = await openRestorable(shared.url)
  const close = async () => {
    await second.close()
    await first.close()
    await restorable.close()
    await shared.drop()
  }
  return { first, second, gateways, restorable, close }
}

it('after a failover that lost a change, all gateways serve what the database holds', async () => {
  const servers = await startTwo()
  if (!servers) return
  const { first, second, gateways, restorable, close } = servers
  try {
    expect(await create(first, 'Kept')).toBe(201)
    await restorable.keep()
    expect(await create(first, 'Lost')).toBe(201)
    const lost = gateways[0].published.at(-1)
    await second.publisher.publish()
    expect(gateways.map(apisOf)).toEqual([
      ['Kept', 'Lost'],
      ['Kept', 'Lost'],
    ])
    await restorable.restore()
    // It gets the number of the one that was lost, before any server has looked.
    expect(await create(second, 'Later')).toBe(201)
    expect(gateways[1].published.at(-1)?.revision).toBe(lost?.revision)
    await vi.waitFor(() => expect(apisOf(gateways[0])).toEqual(['Kept', 'Later']))
    expect(apisOf(gateways[1])).toEqual(['Kept', 'Later'])
    expect([first.publisher.stepsBack, second.publisher.stepsBack]).toEqual([1, 1])
    // A server notes what it has published once its workers have taken it.
    const stored = await second.stores.revisions.get()
    await vi.waitFor(() => expect(first.publisher.published).toMatchObject(stored))
  } finally {
    await close()
  }
})
