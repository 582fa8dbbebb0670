import { hostname, tmpdir } from 'node:os'
import type { GatewayStatus, NodeList } from '@gatehouse/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'
import { NodeSeat } from './node-seat.ts'

let gateway: ReturnType<typeof recordingGateway>
let server: TestServer
beforeEach(async () => {
  gateway = recordingGateway()
  server = await buildServer({ DATA_DIR: tmpdir() }, gateway.link)
  await server.publisher.publish()
  if (await server.nodes.start()) throw new Error('The identity is taken.')
})
afterEach(() => server.close())

const list = async (token = server.admin.token) =>
  (await server.send('GET', '/api/nodes', { token })).body as NodeList
const later = (seconds: number) =>
  (server.time.now = new Date(server.time.now.getTime() + seconds * 1_000))

async function seatOf(name: string) {
  const seat = new NodeSeat({
    instanceId: `id of ${name}`,
    place: name,
    name,
    version: '0.0.9',
    isAlone: false,
    nodes: server.stores.nodes,
    clock: { now: () => server.time.now },
  })
  await seat.take()
  return seat
}

it('shows this server, what it runs on and whether that is what is stored', async () => {
  const { revision, nodes } = await list()
  expect(nodes).toMatchObject([
    {
      id: 'test-server',
      name: hostname(),
      version: '0.0.0',
      role: 'all',
      life: 'alive',
      is_this: true,
      silent_seconds: 0,
      is_current: true,
      state: {
        revision,
        refusal: null,
        isolated_apis: 0,
        workers: { serving: 1, total: 1 },
        in_flight: 3,
        clock: null,
        disk: {
          path: expect.any(String),
          free_bytes: expect.any(Number),
          total_bytes: expect.any(Number),
        },
        open_breakers: [],
        limits: expect.objectContaining({ state: 'off' }),
      },
    },
  ])
})

it('shows which server does what one does for all, and since when', async () => {
  const take = async (owner: string) => {
    const moment = (seconds: number) =>
      new Date(server.time.now.getTime() + seconds * 1_000).toISOString()
    const lease = { owner, now: moment(0), endedBy: moment(0), latest: moment(600) }
    return (await server.stores.duties.take('sweep', { ...lease, until: moment(60) })) !== undefined
  }
  const since = server.time.now.toISOString()
  expect(await take('test-server')).toBe(true)
  later(50)
  expect(await take('test-server')).toBe(true)
  expect(await take('another')).toBe(false)
  expect((await list()).nodes[0]?.leads).toEqual([{ duty: 'sweep', since }])
  later(61)
  expect((await list()).nodes[0]?.leads).toEqual([])
  expect(await take('another')).toBe(true)
  expect((await list()).nodes[0]?.leads).toEqual([])
})

it('shows what a server refuses and why, and which configuration it keeps', async () => {
  const { revision } = await list()
  gateway.control.refusal = 'Worker 1: two endpoints are alike.'
  await server.send('POST', '/api/apis', { token: server.admin.token, body: httpApi() })
  await server.nodes.look()
  expect(await list()).toMatchObject({
    revision: revision + 1,
    nodes: [
      {
        is_current: false,
        state: {
          revision,
          refusal: { revision: revision + 1, reason: 'Worker 1: two endpoints are alike.' },
        },
      },
    ],
  })
})

it('tells the gateway how many servers carry traffic: those that live and run one', async () => {
  const { state } = (await list()).nodes[0]!
  const busy = await seatOf('busy')
  await busy.beat(JSON.stringify(state))
  const control = await seatOf('without a gateway')
  await control.beat(JSON.stringify({ ...state, workers: null }))
  const other = await seatOf('of another version')
  await other.beat('{}')
  await server.nodes.look()
  expect(gateway.control.servers).toBe(3)
  const { body } = await server.send('GET', '/api/gateway', { token: server.admin.token })
  expect((body as GatewayStatus).all_servers).toEqual({
    gateways: 2,
    workers: { serving: 2, total: 2 },
    in_flight: 6,
  })
  await other.leave()
  await server.nodes.look()
  expect(gateway.control.servers).toBe(2)
  later(30)
  await server.nodes.look()
  expect(gateway.control.servers).toBe(1)
})

it('a lost configuration of the same number is not the stored one', async () => {
  await server.db.updateTable('config_revision').set({ mark: 'another' }).execute()
  expect((await list()).nodes[0]).toMatchObject({ is_current: false, state: { revision: 1 } })
})

it('a server that is silent for 30 s comes after those that live, and is gone after a day', async () => {
  const crashed = await seatOf(`${hostname()} that crashed`)
  await crashed.beat('{}')
  const stopped = await seatOf(`${hostname()} that stopped`)
  await stopped.leave()
  later(29)
  await server.nodes.look()
  const livesOf = async (token?: string) =>
    (await list(token)).nodes.map(({ name, life }) => [name, life])
  expect(await livesOf()).toEqual([
    [hostname(), 'alive'],
    [`${hostname()} that crashed`, 'alive'],
    [`${hostname()} that stopped`, 'stopped'],
  ])
  later(1)
  await server.nodes.look()
  const { nodes } = await list()
  expect(nodes.map(({ name, life }) => [name, life])).toEqual([
    [hostname(), 'alive'],
    [`${hostname()} that crashed`, 'silent'],
    [`${hostname()} that stopped`, 'stopped'],
  ])
  // Another version may say what this one can't read.
  expect(nodes[1]).toMatchObject({ silent_seconds: 30, state: null, is_current: false })
  later(86_401)
  await server.nodes.look()
  expect(await livesOf(await server.signIn(server.admin.email))).toEqual([[hostname(), 'alive']])
})
