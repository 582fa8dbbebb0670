import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createPeerUpstream,
  createRunPeer,
  type RunPeer,
} from '../../../../test/servers/run-peer.ts'
import { json, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'
import { leaseMs } from '../../../kernel/leases/leases.ts'
import type { LiveRun } from '../ledger/reading/live-run.ts'

let app: RunServer
let post: number
let read: number
let safe: number
const upstream = createPeerUpstream()
beforeAll(async () => {
  app = await startRunServer()
  post = await app.endpoint({ path: '/post' })
  read = await app.endpoint({ method_type: 'get', path: '/read' })
  const patient = await app.createApi({ name: 'Patient', answer_timeout_ms: 20_000 })
  safe = await app.endpoint({ path: '/safe', run_settings: { is_duplicate_safe: true } }, patient)
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
})

const createPeer = (owner: string) => createRunPeer(app.server, upstream, owner)

let content = 0
const stepOn = (endpointId: number) => ({
  endpointId,
  body: endpointId === read ? '' : `{"n":${++content}}`,
})

async function begin(peer: RunPeer, endpoints: number[]): Promise<LiveRun> {
  const started = await peer.start(endpoints.map(stepOn), `key-number-${++content}`)
  if (started.what !== 'began') throw new Error('It was not begun.')
  return started.live
}

const stateOf = async (id: number) => {
  const { state, steps } = await app.show(id)
  return {
    state,
    steps: steps.map((step) => step.state),
    outcomes: steps.map((step) => step.attempts.at(-1)?.outcome),
  }
}
const later = (ms: number) => {
  app.server.time.now = new Date(app.server.time.now.getTime() + ms)
}

describe('a server that dies while it sends', () => {
  it.each([
    ['a submit is unknown', () => post, 'unknown', 'unknown'],
    ['a read is not started', () => read, 'waiting', 'not_started'],
  ] as const)('%s, found by its own next start', async (_name, endpoint, step, run) => {
    const peer = createPeer('dying-1')
    const live = await begin(peer, [endpoint()])
    // The same installation, a new process: nothing is held in memory.
    expect(await createPeer('dying-1').ledger.recover({ own: true })).toBe(1)
    expect(await stateOf(live.id)).toEqual({ state: run, steps: [step], outcomes: ['crash'] })
    expect(await createPeer('dying-1').ledger.recover({ own: true })).toBe(0)
  })

  it('leaves an outcome that is unknown since it was sent, not since it was found', async () => {
    const sentAt = app.server.time.now.toISOString()
    const live = await begin(createPeer('dying-3'), [post])
    later(3 * 3_600_000)
    await createPeer('dying-3').ledger.recover({ own: true })
    const { unknown_since } = await app.server.db
      .selectFrom('run')
      .select('unknown_since')
      .where('id', '=', live.id)
      .executeTakeFirstOrThrow()
    expect(unknown_since).toBe(sentAt)
  })

  it('is left alone by others until its lease has run out, then closed by the first server', async () => {
    const live = await begin(createPeer('dying-2'), [post, post])
    const [one, two] = [createPeer('other-1'), createPeer('other-2')]
    expect(await one.ledger.recover({ own: true })).toBe(0)
    expect(await one.ledger.recover({ own: false })).toBe(0)
    later(leaseMs + 1)
    const recovered = await Promise.all(
      [one, two].map(({ ledger }) => ledger.recover({ own: false })),
    )
    expect(recovered.toSorted((a, b) => a - b)).toEqual([0, 1])
    expect(await stateOf(live.id)).toMatchObject({
      state: 'unknown',
      steps: ['unknown', 'waiting'],
    })
  })

  it('between two steps leaves the run stopped, and it can be resumed', async () => {
    const peer = createPeer('dying-3')
    const live = await begin(peer, [read, post])
    const { opened: attempt } = live
    if (!attempt) throw new Error('The first step is not open.')
    const timeouts = { connectTimeoutMs: 1000, answerTimeoutMs: 1000 }
    const answer = await upstream.send({ ...attempt.request, body: '', ...timeouts })
    await peer.ledger.finish(live, attempt, { answer, shown: answer })
    await createPeer('dying-3').ledger.recover({ own: true })
    expect(await stateOf(live.id)).toMatchObject({
      state: 'stopped',
      steps: ['succeeded', 'waiting'],
    })
    app.upstream.received.length = 0
    expect((await app.post(`/api/runs/${live.id}/resume`, {})).status).toBe(200)
    expect(app.upstream.received.map(({ url: sent }) => sent)).toEqual(['/post'])
  })
})

describe('a server that is late', () => {
  it('does not send when it slept until its lease was over', async () => {
    const peer = createPeer('asleep')
    const live = await begin(peer, [post])
    later(leaseMs + 1)
    await peer.engine.carryOut(live)
    expect(app.upstream.received).toEqual([])
    expect(await createPeer('other').ledger.recover({ own: false })).toBe(1)
    expect(await stateOf(live.id)).toMatchObject({ state: 'unknown', outcomes: ['crash'] })
  })

  it('keeps its lease as long as it renews it', async () => {
    const peer = createPeer('slow-1')
    const live = await begin(peer, [post])
    peer.leases.hold(live, live.leaseUntil)
    later(leaseMs - 1)
    await peer.leases.renew(peer.stores.runs)
    later(leaseMs - 1)
    expect(await createPeer('other').ledger.recover({ own: false })).toBe(0)
    later(2)
    expect(await createPeer('other').ledger.recover({ own: false })).toBe(1)
  })

  it('does not undo the recovery: its answer is stored beside the crash and is counted', async () => {
    const peer = createPeer('slow-2')
    const live = await begin(peer, [post, post])
    app.answer((_request, response) => {
      later(leaseMs + 1)
      void createPeer('other')
        .ledger.recover({ own: false })
        .then(() => response.end('{}'))
    })
    await peer.engine.carryOut(live)
    expect(await stateOf(live.id)).toMatchObject({
      state: 'stopped',
      steps: ['succeeded', 'waiting'],
    })
    const [step] = (await app.show(live.id)).steps
    expect(step?.attempts.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['send', 'crash'],
      ['late_answer', 'ok'],
    ])
    expect(peer.lines.join('')).toContain('came too late to count')
    // The second step was not sent by the late one.
    expect(app.upstream.received).toHaveLength(1)
  })

  it('changes nothing either when the run has come back to it and is under way again', async () => {
    const [late, other] = [createPeer('slow-4'), createPeer('other')]
    const live = await begin(late, [safe])
    const waiting: (() => void)[] = []
    let arrived = () => {}
    const arrives = () => new Promise<void>((resolve) => (arrived = resolve))
    app.answer((_request, response) => {
      waiting.push(() => response.end('{}'))
      arrived()
    })
    const first = arrives()
    const lost = late.engine.carryOut(live)
    await first
    later(leaseMs + 1)
    await other.ledger.recover({ own: false })
    const second = arrives()
    const resumed = late.resumer.resume(
      live.id,
      { tokens: {}, confirmsHeld: false },
      late.context(),
    )
    await second
    waiting[0]?.()
    await lost
    expect(await stateOf(live.id)).toMatchObject({ state: 'running', steps: ['sending'] })
    // Its hold on the run is that of the resume, which the late one does not let go.
    later(leaseMs - 1)
    await late.leases.renew(late.stores.runs)
    later(leaseMs - 1)
    expect(await other.ledger.recover({ own: false })).toBe(0)
    waiting[1]?.()
    await resumed
    const [step] = (await app.show(live.id)).steps
    expect(step?.attempts.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['send', 'crash'],
      ['resend', 'ok'],
    ])
  })

  it('can’t claim, block or stop with an old epoch', async () => {
    const peer = createPeer('slow-3')
    const live = await begin(peer, [post, post])
    later(leaseMs + 1)
    await createPeer('other').ledger.recover({ own: false })
    const [, step] = live.steps
    const request = step?.plan.request
    if (!request) throw new Error('The second step is not ready.')
    const ready = { step, request, carried: { ok: true, documents: [] } as const }
    await expect(peer.ledger.claim(live, ready)).rejects.toThrow('no longer')
    await expect(peer.ledger.block(live, step, 'x')).rejects.toThrow('no longer')
    await expect(peer.ledger.stop(live)).rejects.toThrow('no longer')
    expect(await stateOf(live.id)).toMatchObject({ steps: ['unknown', 'waiting'] })
    expect(app.upstream.received).toEqual([])
  })
})

it('two servers that share the load send each run once', async () => {
  const peers = [createPeer('peer-1'), createPeer('peer-2')]
  const send = async (peer: RunPeer, n: number) => {
    const step = { endpointId: post, body: `{"shared":${n}}` }
    const started = await peer.start([step], `shared-key-${n}`).catch(() => undefined)
    if (started?.what === 'began') await peer.engine.carryOut(started.live)
  }
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      peers.flatMap((peer) => [send(peer, n), send(peer, n)]),
    ).flat(),
  )
  const bodies = app.upstream.received.map(({ body }) => body)
  expect(bodies.toSorted()).toEqual([...new Set(bodies)].toSorted())
  expect(bodies).toHaveLength(10)
})

it('a stop lets the step under way finish, and begins no other', async () => {
  const peer = createPeer('stopping')
  const live = await begin(peer, [post, post])
  let stopped: Promise<void> | undefined
  app.answer((_request, response) => {
    stopped = peer.engine.stop()
    response.end('{}')
  })
  await peer.engine.carryOut(live)
  await stopped
  expect(await stateOf(live.id)).toMatchObject({
    state: 'stopped',
    steps: ['succeeded', 'waiting'],
  })
  expect(app.upstream.received).toHaveLength(1)
})
