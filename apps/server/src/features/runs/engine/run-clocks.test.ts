import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openWorld } from '../../../../test/time/machine-clock.ts'
import {
  createPeerUpstream,
  createRunPeer,
  type RunPeer,
} from '../../../../test/servers/run-peer.ts'
import { json, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'
import type { Clock } from '../../../kernel/clock.ts'

const minuteMs = 60_000
const hourMs = 3_600_000

let app: RunServer
let post: number
let world: ReturnType<typeof openWorld>
const upstream = createPeerUpstream()
beforeAll(async () => {
  app = await startRunServer()
  const patient = await app.createApi({ name: 'Patient', answer_timeout_ms: 20_000 })
  post = await app.endpoint({ path: '/post' }, patient)
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})
beforeEach(() => {
  app.upstream.received.length = 0
  world = openWorld(app.server.db)
})

const createPeer = (owner: string, clock: Clock) =>
  createRunPeer(app.server, upstream, owner, undefined, {}, clock)

let content = 0
async function begin(peer: RunPeer) {
  const steps = [{ endpointId: post, body: `{"n":${++content}}` }]
  const started = await peer.start(steps, `key-number-${content}`)
  if (started.what !== 'began') throw new Error('It was not begun.')
  return started.live
}

/** A run whose call has arrived at the authority, which does not answer before `answer`. */
async function beginAndSend(peer: RunPeer) {
  const arrived = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  app.answer((request, response, socket) => {
    arrived.resolve()
    void held.promise.then(() => json(200, { id: 7 })(request, response, socket))
  })
  const live = await begin(peer)
  const carried = peer.engine.carryOut(live)
  await arrived.promise
  return {
    id: live.id,
    answer: async () => {
      held.resolve()
      await carried
    },
  }
}

const others = (peer: RunPeer) => peer.ledger.recover({ own: false })
const stateOf = async (id: number) => (await app.show(id)).state

async function secondsLeft(id: number) {
  const { lease_until } = await app.server.db
    .selectFrom('run')
    .select('lease_until')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return (new Date(lease_until ?? 0).getTime() - (await world.databaseMs())) / 1000
}

/** Its lease is neither over nor longer than any server takes one. */
async function expectLease(id: number) {
  const seconds = await secondsLeft(id)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThan(31)
}

it('a live run is left alone by servers whose clocks are two minutes ahead or behind', async () => {
  const one = createPeer('exact', (await world.machine()).clock)
  const run = await beginAndSend(one)
  for (const aheadMs of [2 * minuteMs, -2 * minuteMs]) {
    const other = createPeer(`ahead ${aheadMs}`, (await world.machine(aheadMs)).clock)
    expect(await others(other)).toBe(0)
  }
  await expectLease(run.id)
  await run.answer()
  expect(await stateOf(run.id)).toBe('succeeded')
  expect(app.upstream.received).toHaveLength(1)
})

it('a clock that jumps by an hour both ways takes no run away and holds no lease for an hour', async () => {
  const jumping = await world.machine()
  const one = createPeer('jumping', jumping.clock)
  const watching = await world.machine(1_000)
  const other = createPeer('watching', watching.clock)
  const run = await beginAndSend(one)
  for (const aheadMs of [hourMs, -hourMs]) {
    jumping.setAhead(aheadMs)
    await one.leases.renew(one.stores.runs)
    await expectLease(run.id)
    expect(await others(other)).toBe(0)
    watching.setAhead(aheadMs)
    expect(await others(other)).toBe(0)
    expect(await others(one)).toBe(0)
  }
  await run.answer()
  expect(await stateOf(run.id)).toBe('succeeded')
  expect(app.upstream.received).toHaveLength(1)
})

it.each([hourMs, -hourMs])(
  'a jump of the database’s clock by %d ms takes no live run away, and frees a dead one’s',
  async (byMs) => {
    const one = await world.machine()
    const alive = createPeer('alive', one.clock)
    const run = await beginAndSend(alive)
    const dead = await begin(createPeer('dead', (await world.machine()).clock))
    const watching = await world.machine()
    const other = createPeer('watching', watching.clock)
    world.pass(2_000)
    world.setDatabaseAhead(byMs)
    // Each looks before the other has noticed.
    expect(await others(other)).toBe(0)
    expect(await others(alive)).toBe(0)
    world.pass(61_000)
    await one.clock.measure()
    await alive.leases.renew(alive.stores.runs)
    expect(await others(other)).toBe(1)
    expect(await stateOf(dead.id)).toBe('unknown')
    await expectLease(run.id)
    await run.answer()
    expect(await stateOf(run.id)).toBe('succeeded')
    expect(app.upstream.received).toHaveLength(1)
  },
)

it('a machine that slept until its lease was over does not send', async () => {
  const asleep = await world.machine()
  const one = createPeer('asleep', asleep.clock)
  const live = await begin(one)
  asleep.sleep(40_000)
  await one.engine.carryOut(live)
  expect(app.upstream.received).toEqual([])
  const other = createPeer('awake', (await world.machine()).clock)
  expect(await others(other)).toBe(1)
})
