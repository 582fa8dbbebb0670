import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAuthorityLanes, type AuthorityLanes } from '../../../test/servers/lane-server.ts'
import { createPeerUpstream, createRunPeer } from '../../../test/servers/run-peer.ts'
import { leaseMs } from '../../kernel/leases/leases.ts'

let { app, step, sent } = {} as AuthorityLanes
beforeAll(async () => {
  ;({ app, step, sent } = await startAuthorityLanes())
})
afterAll(() => app.close())
beforeEach(() => app.startOver())

const minuteMs = 60_000

describe('a server that dies', () => {
  const upstream = createPeerUpstream()
  afterAll(() => upstream.close())

  /** A run that another server has taken; it died before, or after, it opened the first attempt. */
  async function takenRun(
    owner: string,
    { isOpened, orderKey = null }: { isOpened: boolean; orderKey?: string | null },
  ) {
    const flow = await app.workflow([step()], { lane: { is_paused: 1, is_strict_order: 1 } })
    const { runId } = await app.put(flow, { orderKey })
    await app.settled()
    await app.unpause(flow)
    const dying = createRunPeer(app.server, upstream, owner)
    const claim = await dying.take(flow.laneId)
    if (claim === 'busy') throw new Error('The lane is busy.')
    for (const taken of claim.taken) if (isOpened) await dying.opener.open(taken)
    return { flow, runId }
  }
  const recover = async () => {
    app.server.time.now = new Date(app.server.time.now.getTime() + leaseMs + 1)
    await app.server.ledger.recover({ own: false })
  }

  it('before the first attempt: the run goes back to its lane, and is sent once', async () => {
    const { runId } = await takenRun('dying-1', { isOpened: false })
    expect((await app.stateOf(runId)).state).toBe('running')
    await recover()
    expect((await app.stateOf(runId)).state).toBe('queued')
    expect(sent()).toEqual([])
    await app.later(2_000)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
    expect(sent()).toHaveLength(1)
  })

  it('with an open submit: the outcome is unknown, and nothing is sent again', async () => {
    const { flow, runId } = await takenRun('dying-2', { isOpened: true, orderKey: 'A' })
    const next = await app.put(flow, { orderKey: 'A' })
    await recover()
    await app.later(60 * minuteMs)
    expect(await app.stateOf(runId)).toEqual({ state: 'unknown', steps: ['unknown'] })
    expect((await app.stateOf(next.runId)).state).toBe('queued')
    expect(sent()).toEqual([])
  })
})

it('two servers that share a lane send each run once, in order per key', async () => {
  const upstream = createPeerUpstream()
  const peers = ['lane-peer-1', 'lane-peer-2'].map((owner) =>
    createRunPeer(app.server, upstream, owner),
  )
  const flow = await app.workflow([step('"{{input.at}}"')], {
    lane: { is_strict_order: 1, concurrency: 6, is_paused: 1 },
  })
  for (let at = 0; at < 10; at++)
    for (const orderKey of ['A', 'B', 'C'])
      await app.put(flow, { orderKey, inputText: `{"at":"${orderKey}${at}"}` })
  await app.unpause(flow)
  await Promise.all(peers.map(({ dispatcher }) => dispatcher.look()))
  const left = async () =>
    app.server.db
      .selectFrom('lane_entry')
      .select('run_id')
      .where('lane_id', '=', flow.laneId)
      .execute()
  while ((await left()).length > 0) {
    await Promise.all(peers.map(({ dispatcher }) => dispatcher.look()))
    await Promise.all(peers.map(({ dispatcher }) => dispatcher.settled()))
  }
  await Promise.all(peers.map(({ dispatcher }) => dispatcher.stop()))
  await upstream.close()
  for (const key of ['A', 'B', 'C'])
    expect(sent().filter((body) => body.startsWith(`"${key}`))).toEqual(
      Array.from({ length: 10 }, (_, at) => `"${key}${at}"`),
    )
})

it('a server that stops finishes its step and gives the rest back to the lane', async () => {
  const upstream = createPeerUpstream()
  const peer = createRunPeer(app.server, upstream, 'stopping-lane')
  const flow = await app.workflow([step(), step()], { lane: { concurrency: 1, is_paused: 1 } })
  const runs = [await app.put(flow), await app.put(flow)]
  await app.settled()
  await app.unpause(flow)
  let stopped: Promise<unknown> | undefined
  app.answer((_request, response) => {
    stopped ??= Promise.all([peer.dispatcher.stop(), peer.engine.stop()])
    response.end('{"id":7}')
  })
  peer.dispatcher.wake(flow.laneId)
  await peer.dispatcher.settled()
  await stopped
  await upstream.close()
  expect(sent()).toHaveLength(1)
  const states = async () => Promise.all(runs.map(async ({ runId }) => app.stateOf(runId)))
  expect(await states()).toEqual([
    { state: 'queued', steps: ['succeeded', 'waiting'] },
    { state: 'queued', steps: [] },
  ])
  await app.later(0)
  expect((await states()).map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
  expect(sent()).toHaveLength(4)
})
