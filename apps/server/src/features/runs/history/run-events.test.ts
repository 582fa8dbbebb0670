import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import type { RunSummary } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPeerUpstream, createRunPeer } from '../../../../test/servers/run-peer.ts'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

let app: RunServer
let post: number
let url: string
const upstream = createPeerUpstream()
beforeAll(async () => {
  app = await startRunServer()
  post = await app.endpoint()
  await app.server.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})
beforeEach(() => app.answer(json(200, {})))

let content = 0
const step = (end_point = post) => ({ end_point, body: `{"n":${++content}}` })

/** The events of a run, one after the other, until the stream ends. */
async function* follow(id: number, token = app.token): AsyncGenerator<RunSummary> {
  const response = await fetch(`${url}/api/runs/${id}/events`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString()
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^event: run\ndata: (.*)$/.exec(event)?.[1]
      if (data) yield JSON.parse(data) as RunSummary
    }
  }
}

const statesOf = (run: RunSummary) => run.steps.map(({ state }) => state)

/** A run of two steps, whose answers wait to be let go. */
async function heldRun(as = app.token, endpoint = post) {
  const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let next = 0
  app.answer((_request, response) => {
    const at = next++
    arrived[at]?.resolve()
    void gates[at]?.promise.then(() => response.end('{}'))
  })
  const key = randomUUID()
  const sent = app.tax([step(endpoint), step(endpoint)], { key, as })
  await arrived[0]?.promise
  const found = await app.server.send('GET', `/api/runs/by-key/${key}`, { token: as })
  return { id: runOf(found).id, gates, sent }
}

describe('GET /api/runs/{id}/events', () => {
  it('tells each step as it goes on, and ends with the run', async () => {
    const { id, gates, sent } = await heldRun()
    const seen: string[] = []
    for await (const run of follow(id)) {
      seen.push(`${run.state}: ${statesOf(run).join(' ')}`)
      const under = statesOf(run).indexOf('sending')
      if (under >= 0) gates[under]?.resolve()
    }
    await sent
    expect(seen[0]).toBe('running: sending waiting')
    expect(seen).toContain('running: succeeded sending')
    expect(seen.at(-1)).toBe('succeeded: succeeded succeeded')
  })

  it('shows a run that has ended at once, and ends', async () => {
    const { id } = runOf(await app.tax([step()]))
    const seen: RunSummary[] = []
    for await (const run of follow(id)) seen.push(run)
    expect(seen).toMatchObject([{ id, state: 'succeeded' }])
  })

  it('follows a run that another server carries out', async () => {
    const peer = createRunPeer(app.server, upstream, 'another')
    const started = await peer.start(
      [{ endpointId: post, body: `{"n":${++content}}` }],
      randomUUID(),
    )
    if (started.what !== 'began') throw new Error('It was not begun.')
    const { live } = started
    const states: string[] = []
    for await (const run of follow(live.id)) {
      states.push(run.state)
      if (states.length === 1) await peer.engine.carryOut(live)
    }
    expect(states[0]).toBe('running')
    expect(states.at(-1)).toBe('succeeded')
  })

  it('is open to the person whose run it is, and 404 for others without run.view', async () => {
    const sender = await app.server.buildUser({ permissions: ['tax.send'] })
    const other = await app.server.buildUser({ permissions: ['tax.send'] })
    const { id: role_id } = await app.server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', sender.roleName)
      .executeTakeFirstOrThrow()
    await app.server.db.insertInto('role_endpoint').values({ role_id, endpoint_id: post }).execute()
    const { id } = runOf(await app.tax([step()], { as: sender.token }))
    const states: string[] = []
    for await (const run of follow(id, sender.token)) states.push(run.state)
    expect(states).toEqual(['succeeded'])
    const refused = (path: string, token: string) => app.server.send('GET', path, { token })
    expect((await refused(`/api/runs/${id}/events`, other.token)).status).toBe(404)
    expect((await refused('/api/runs/999999/events', sender.token)).status).toBe(404)
    expect((await refused(`/api/runs/${id}`, sender.token)).status).toBe(403)
  })

  it('opens ten of 300 streams of one user at once, and others have theirs', async () => {
    const patient = await app.createApi({ name: 'Patient', answer_timeout_ms: 60_000 })
    const { id, gates, sent } = await heldRun(app.token, await app.endpoint({}, patient))
    const other = await app.server.buildUser({ permissions: ['run.view'] })
    const leaving = new AbortController()
    const open = (token = app.token) =>
      fetch(`${url}/api/runs/${id}/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: leaving.signal,
      })
    const answers = await Promise.all(Array.from({ length: 300 }, () => open()))
    const opened = answers.filter(({ status }) => status === 200)
    expect(opened).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(290)
    const shown = await opened.at(-1)?.body?.getReader().read()
    expect(Buffer.from(shown?.value ?? []).toString()).toContain('event: run')
    expect((await open(other.token)).status).toBe(200)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    leaving.abort()
    // Their places are free again, those of streams that nobody has read too.
    for (const gate of gates) gate.resolve()
    await sent
    await vi.waitFor(async () => {
      const states: string[] = []
      for await (const run of follow(id)) states.push(run.state)
      expect(states).toEqual(['succeeded'])
    })
  })

  it('lets go of a reader who leaves', async () => {
    const { id, gates, sent } = await heldRun()
    const leaving = new AbortController()
    const response = await fetch(`${url}/api/runs/${id}/events`, {
      headers: { authorization: `Bearer ${app.token}` },
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    for (const gate of gates) gate.resolve()
    expect((await sent).status).toBe(200)
  })
})

it('a browser that is lost amid a run changes nothing: it is carried out, and found again by its key', async () => {
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let sent = 0
  app.answer((_request, response) => {
    sent++
    arrived.resolve()
    void gate.promise.then(() => response.end('{}'))
  })
  const [first, second, key] = [step(), step(), randomUUID()]
  const leaving = new AbortController()
  const lost = fetch(`${url}/api/tax`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      authorization: `Bearer ${app.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ endpoint_1: first, endpoint_2: second }),
  })
  await arrived.promise
  leaving.abort()
  await expect(lost).rejects.toThrow()
  const found = await app.server.send('GET', `/api/runs/by-key/${key}`, { token: app.token })
  const states: string[] = []
  for await (const run of follow(runOf(found).id)) {
    states.push(run.state)
    gate.resolve()
  }
  expect(states.at(-1)).toBe('succeeded')
  const again = await app.tax([first, second], { key })
  expect(again.headers['idempotent-replay']).toBe('true')
  expect(sent).toBe(2)
})
