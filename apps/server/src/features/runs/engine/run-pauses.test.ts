import type { StoredCredential } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../../../../test/time/machine-clock.ts'
import { createPeerUpstream, createRunPeer, type Gate } from '../../../../test/servers/run-peer.ts'
import { Pauses } from '../../../../test/run-model/pauses.ts'
import { json, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'
import type { Clock } from '../../../kernel/clock.ts'

// Two servers on one database. The process of one stands still at each of its awaits in turn, for longer than
// its lease, while the other looks after runs that were left.

/** Longer than a lease, and long before anybody else notices. */
const pauseMs = 40_000
const pausesAtMost = 60

let app: RunServer
let api: number
let first: number
let second: number
let paths = 0
beforeAll(async () => {
  app = await startRunServer()
  const port = new URL(app.upstream.url).port
  api = await app.createApi({ name: 'By name', api_url: `http://authority.test:${port}` })
  first = await app.endpoint({ path: '/first' }, api)
  second = await app.endpoint({ path: '/second' }, api)
  app.answer(json(200, { id: 7 }))
})
afterAll(() => app.close())

const credential: StoredCredential = {
  kind: 'oauth2_client_credentials',
  refused_when: null,
  token_url: 'https://authority.test/token',
  client_id: 'client',
  client_secret: 'the-client-secret',
  client_authentication: 'basic',
  private_key: '',
  key_id: '',
  algorithm: 'RS256',
  scope: '',
  audience: '',
  body_fields: [],
  login_headers: [],
  scheme: 'Bearer',
}

/** A server whose sign-ins, look-ups of names and transactions are places to stand still at. */
function createGated(owner: string, gate: Gate, clock: Clock) {
  const upstream = createPeerUpstream({
    lookup: (_, __, callback) => {
      const answer = async () => {
        await gate('name')
        callback(null, [{ address: '127.0.0.1', family: 4 }])
      }
      void answer()
    },
  })
  const tokens = {
    token: async () => {
      await gate('sign-in')
      return { token: 'token', version: 1 }
    },
    renewRefused: async () => undefined,
  }
  const calling = { credential, staticHeaders: [{ name: 'x-server', value: owner }] }
  const peer = createRunPeer(app.server, upstream, owner, tokens, calling, clock, undefined, gate)
  return { peer, upstream }
}

type Wake = 'renews, then goes on' | 'goes on, then renews' | 'had read the time before it renews'

interface Play {
  /** The await at which the first server stands still. */
  stopAt: number
  /** The await of the second server at which it stands still until the first has gone on; -1: at none. */
  otherStopsAt: number
  /** Its monotonic clock stands still too. */
  isAsleep: boolean
  wake: Wake
}

/** What came to the authority from the first server after the second had closed the run. */
async function play({ stopAt, otherStopsAt, isAsleep, wake }: Play) {
  const world = openWorld(app.server.db)
  const machine = await world.machine()
  const otherMachine = await world.machine()
  const pauses = new Pauses(stopAt)
  const others = new Pauses(otherStopsAt < 0 ? Infinity : otherStopsAt)
  let runId: number | undefined
  let sentBeforeClosing: number | undefined
  const sent = () =>
    app.upstream.received.filter(({ headers }) => headers['x-server'] === owner).length
  const owner = `paused-${++paths}`
  const one = createGated(owner, pauses.gate, machine.clock)
  const other = createGated(
    'other',
    async (where) => {
      if (where === 'commit' && runId !== undefined) {
        const { state, lease_owner } = await rowOf(runId)
        if (state !== 'running' && lease_owner === null) sentBeforeClosing ??= sent()
      }
      await others.gate(where)
    },
    otherMachine.clock,
  )
  const steps = [first, second].map((endpointId) => ({ endpointId, body: `{"n":${paths}}` }))
  const running = (async () => {
    const started = await one.peer.start(steps, `pauses-${paths}`)
    if (started.what === 'began') await one.peer.engine.carryOut(started.live)
  })()
  running.catch(() => {})
  const isOver = await Promise.race([pauses.stopped.then(() => false), running.then(() => true)])
  runId = await findRun(`%pauses-${paths}`)
  // Its renewal has computed the end of the lease, and its statement is on the way.
  const early = machine.clock.now()
  if (isAsleep) machine.sleep(pauseMs)
  else world.pass(pauseMs)
  const closing = other.peer.ledger.recover({ own: false })
  closing.catch(() => {})
  await Promise.race([closing, others.stopped])
  const renew = async () => {
    const { leases, stores } = one.peer
    if (wake !== 'had read the time before it renews') return leases.renew(stores.runs)
    const now = machine.clock.now.bind(machine.clock)
    machine.clock.now = () => early
    const renewing = leases.renew(stores.runs)
    machine.clock.now = now
    await renewing
  }
  if (wake === 'goes on, then renews') {
    pauses.thaw()
    await renew()
  } else {
    await renew()
    pauses.thaw()
  }
  await running.catch(() => {})
  others.thaw()
  const closed = await closing
  if (closed > 0 && sentBeforeClosing === undefined) throw new Error('The closing was not seen.')
  const late = sentBeforeClosing === undefined ? 0 : sent() - sentBeforeClosing
  // What it has let go of is closed when its lease is over.
  world.pass(pauseMs)
  await other.peer.ledger.recover({ own: false })
  const { state } = await rowOf((await findRun(`%pauses-${paths}`)) ?? 0)
  await one.upstream.close()
  await other.upstream.close()
  return { isOver, late, closed, state, where: pauses.passed[stopAt], sent: sent() }
}

const findRun = async (key: string) => {
  const runs = app.server.db.selectFrom('run').select('id')
  return (await runs.where('idempotency_key', 'like', key).executeTakeFirst())?.id
}

const rowOf = (id: number) =>
  app.server.db
    .selectFrom('run')
    .select(['state', 'lease_owner'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const wakes: Wake[] = [
  'renews, then goes on',
  'goes on, then renews',
  'had read the time before it renews',
]

describe.each([false, true])('a server that stands still, its clock too: %s', (isAsleep) => {
  it.each(wakes)('sends nothing after another one has closed its run (%s)', async (wake) => {
    const stops = new Map<string, number>()
    let closed = 0
    for (let stopAt = 0; stopAt < pausesAtMost; stopAt++) {
      const played = await play({ stopAt, otherStopsAt: -1, isAsleep, wake })
      expect({ late: played.late, at: [stopAt, played.where] }).toEqual({
        late: 0,
        at: [stopAt, played.where],
      })
      closed += played.closed
      if (played.isOver) break
      expect(played.state).not.toBe('running')
      // One that was not closed is carried out to its end, unless its lease was over when it was begun.
      if (played.closed === 0 && !isAsleep)
        expect(played).toMatchObject({ state: 'succeeded', sent: 2 })
      stops.set(played.where ?? '', (stops.get(played.where ?? '') ?? 0) + 1)
    }
    expect([...stops.keys()].toSorted()).toEqual(['commit', 'name', 'sign-in', 'transaction'])
    expect(closed).toBeGreaterThan(5)
  })
})

it('neither while the other one stands still within its closing', async () => {
  let closed = 0
  let kept = 0
  for (const wake of wakes)
    for (let otherStopsAt = 0; otherStopsAt < 4; otherStopsAt++)
      for (let stopAt = 0; stopAt < pausesAtMost; stopAt++) {
        const played = await play({ stopAt, otherStopsAt, isAsleep: false, wake })
        expect({ late: played.late, at: [stopAt, otherStopsAt, wake] }).toEqual({
          late: 0,
          at: [stopAt, otherStopsAt, wake],
        })
        if (played.isOver) break
        if (played.closed > 0) closed++
        else kept++
      }
  expect(closed).toBeGreaterThan(5)
  expect(kept).toBeGreaterThan(5)
})
