import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'
import { createPeerUpstream, createRunPeer } from '../../../../test/servers/run-peer.ts'
import { systemClock } from '../../../kernel/clock.ts'

let app: LaneServer
let post: number
const upstream = createPeerUpstream()
beforeAll(async () => {
  app = await startLaneServer()
  post = await app.endpoint({ path: '/post' })
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})

/** The most of these moments in any window. */
function mostIn(moments: readonly number[], lengthMs: number): number {
  const sorted = moments.toSorted((a, b) => a - b)
  return Math.max(
    ...sorted.map((from) => sorted.filter((at) => at >= from && at < from + lengthMs).length),
  )
}

/** Two servers of their own, with the time of the machine, until the lane is empty. */
async function carryOut(laneId: number): Promise<void> {
  const peers = ['limit-peer-1', 'limit-peer-2'].map((owner) =>
    createRunPeer(app.server, upstream, owner, undefined, {}, systemClock),
  )
  const left = async () => {
    const { lanes } = app.server.stores
    return (await lanes.listWithQueued()).includes(laneId) || (await lanes.countRunning(laneId)) > 0
  }
  for (const { dispatcher } of peers) dispatcher.start()
  await Promise.all(peers.map(({ dispatcher }) => dispatcher.look()))
  while (await left()) await setImmediate()
  await Promise.all(peers.map(({ dispatcher }) => dispatcher.stop()))
  await Promise.all(peers.map(({ rates }) => rates.stop()))
}

it('two servers never pass the limit per second on the authority’s own clock, over every step', async () => {
  const flow = await app.workflow(
    [
      { endpointId: post, text: '{"n":"{{input.n}}"}' },
      { endpointId: post, text: '{"again":"{{input.n}}"}' },
    ],
    { lane: { concurrency: 16, per_second: 12, is_paused: 1 } },
  )
  const runs = []
  for (let run = 0; run < 18; run++) runs.push(await app.put(flow))
  await app.settled()
  await app.unpause(flow)
  const arrivals: number[] = []
  app.answer((_request, response) => {
    // The network delays a request, then the authority takes its time.
    setTimeout(() => {
      arrivals.push(performance.now())
      setTimeout(() => response.end('{}'), Math.random() * 30)
    }, Math.random() * 120)
  })
  await carryOut(flow.laneId)
  for (const { runId } of runs) expect((await app.stateOf(runId)).state).toBe('succeeded')
  expect(arrivals).toHaveLength(36)
  expect(mostIn(arrivals, 1_000)).toBeLessThanOrEqual(12)
})
