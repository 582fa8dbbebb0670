import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'
import { inTransactionOn } from '../../stores.ts'
import { refuseUnfit } from '../../wiring/refuse-unfit.ts'
import { createDeletions } from './create-deletions.ts'

// A delete is undone on another server than the one that did it, and the gateway serves what it served.

const gateway = recordingGateway()
let first: TestServer
let second: TestServer
beforeAll(async () => {
  first = await buildServer({}, gateway.link)
  const beside = { secrets: first.secrets, instanceId: 'another-server' }
  second = await buildServer({}, gateway.link, { db: first.db, drop: async () => {} }, beside)
})
afterAll(async () => {
  await second.close()
  await first.close()
})

async function made(url: string, body: unknown): Promise<number> {
  const answer = await first.send('POST', url, { token: first.admin.token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const remove = async (url: string) =>
  expect((await first.send('DELETE', url, { token: first.admin.token })).status).toBe(204)
const undo = (server: TestServer, thing: string, ids: number[]) =>
  server.send('POST', '/api/deletions/undo', {
    token: server.admin.token,
    body: { thing, ids },
  })

/** What was published last, but for its number. */
async function served() {
  await first.publisher.publish()
  const { revision: _, mark: _mark, ...rest } = gateway.published.at(-1)!
  return rest
}

it('an API, its endpoint and a role come back, each with its id, and are served as before', async () => {
  const credential = { kind: 'bearer', token: 'a-token-of-the-upstream' }
  const api = await made('/api/apis', httpApi({ credential }))
  const endpoint = await made('/api/endpoint', endpointOf(api))
  const role = await made('/api/role', { name: 'Callers', permissions: [] })
  const access = { endpoints: [endpoint] }
  const granted = await first.send('PUT', `/api/api-permission/${role}/update`, {
    token: first.admin.token,
    body: access,
  })
  expect(granted.status, granted.text).toBe(200)
  const before = await served()
  expect(before.endpoints).toMatchObject([{ id: endpoint }])
  await remove(`/api/role/${role}`)
  await remove(`/api/endpoint/${endpoint}`)
  await remove(`/api/apis/${api}`)
  expect((await served()).apis).toEqual([])
  // An id is never given twice, on no database: what is named by it stays with the one that comes back.
  const other = await made('/api/apis', httpApi({ name: 'Meanwhile' }))
  expect(other).not.toBe(api)
  expect(await made('/api/role', { name: 'Meanwhile', permissions: [] })).not.toBe(role)
  await remove(`/api/apis/${other}`)
  for (const [thing, id] of Object.entries({ api, endpoint, role })) {
    const answer = await undo(second, thing, [id])
    expect(answer.body).toMatchObject({ results: [{ id, outcome: 'done' }] })
  }
  expect(gateway.published.at(-1)?.endpoints).toMatchObject([{ id: endpoint }])
  expect(await served()).toMatchObject({ apis: before.apis, endpoints: before.endpoints })
  const rights = first.db.selectFrom('role_endpoint').selectAll().where('role_id', '=', role)
  expect(await rights.execute()).toMatchObject([{ endpoint_id: endpoint }])
})

it('what can be undone no longer is forgotten', async () => {
  const role = await made('/api/role', { name: 'Forgotten', permissions: [] })
  await remove(`/api/role/${role}`)
  const keptOnes = first.db.selectFrom('deletion').select('id').where('name', '=', 'Forgotten')
  const clock = { now: () => first.time.now }
  const log = pino({ level: 'silent' })
  const inTransaction = inTransactionOn(first.db, clock)
  const { service } = createDeletions({ inTransaction, clock, log, refuseUnfit })
  const later = (ms: number) => {
    first.time.now = new Date(first.time.now.getTime() + ms)
  }
  later(60_000)
  await service.forget()
  expect(await keptOnes.execute()).toHaveLength(1)
  later(1)
  await service.forget()
  expect(await keptOnes.execute()).toEqual([])
})
