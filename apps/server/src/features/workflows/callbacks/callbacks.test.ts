import { createHmac } from 'node:crypto'
import type { WorkflowRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { workflowOf } from '../../../../test/servers/build-server.ts'
import { startUpstream } from '../../../../test/servers/hostile-upstream.ts'
import { ok, startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'
import { json } from '../../../../test/servers/run-server.ts'

let app: LaneServer
let receiver: Awaited<ReturnType<typeof startUpstream>>
let post: number
let status = 204
let token: string
beforeAll(async () => {
  app = await startLaneServer()
  receiver = await startUpstream((_request, response) => void response.writeHead(status).end())
  post = await app.endpoint({ path: '/post', run_settings: { reference_path: 'id' } })
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})
beforeEach(async () => {
  status = 204
  receiver.received.length = 0
  await app.startOver()
  // A test may have moved the clock beyond the end of a session.
  token = await app.server.signIn('admin@example.com')
})

let count = 0
const call = (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
  app.server.send(method, url, { token, body })
const saved = ({ body }: { body: unknown }) => body as WorkflowRecord

async function workflow(overrides: Record<string, unknown> = {}) {
  const slug = `calls-back-${++count}`
  const definition = workflowOf(post, {
    slug,
    lane: { name: slug },
    callback: { url: `${receiver.url}/in` },
    reference_path: 'no',
    ...overrides,
  })
  const answer = await call('POST', '/api/workflows', definition)
  expect(answer.status).toBe(201)
  const record = saved(answer)
  const { lane_id } = await app.server.db
    .selectFrom('workflow')
    .select('lane_id')
    .where('id', '=', record.id)
    .executeTakeFirstOrThrow()
  const flow = { id: record.id, version: 1, slug, kind: 'general' as const, laneId: lane_id }
  const start = async (reference: string | null = null, isTest = false) => {
    const queued = await app.put(flow, {
      inputText: `{"id":${++count}}`,
      reference,
      orderKey: null,
      isTest,
    })
    await app.settled()
    if (queued.what !== 'queued') throw new Error(`The run is not new: ${queued.what}.`)
    return queued.runId
  }
  return { record, definition, flow, start }
}

const deliver = () => app.server.unattended.deliveries.keeper.look()
interface Message {
  type: string
  timestamp: string
  data: { run: { id: number; state: string; reference: string | null }; batch?: unknown }
}
async function messages(): Promise<Message[]> {
  await deliver()
  return receiver.received.map(({ body }) => JSON.parse(body) as Message)
}

describe('the secret of a callback', () => {
  it('is generated, shown once, and signs what is sent', async () => {
    const { record, start } = await workflow()
    const secret = record.callback?.secret ?? ''
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const shown = await call('GET', `/api/workflows/${record.id}`)
    expect(saved(shown).callback).toMatchObject({ url: `${receiver.url}/in`, secret: null })
    await start()
    await deliver()
    const [got] = receiver.received
    const head = [got?.headers['webhook-id'], got?.headers['webhook-timestamp']].join('.')
    const key = Buffer.from(secret.slice(6), 'base64')
    const signature = createHmac('sha256', key).update(`${head}.${got?.body}`).digest('base64')
    expect(got?.headers['webhook-signature']).toBe(`v1,${signature}`)
    const stored = JSON.stringify(
      await app.server.db.selectFrom('workflow_callback').selectAll().execute(),
    )
    expect(stored).not.toContain(secret.slice(6, 20))
    const audit = await call('GET', '/api/audit?thing=workflow&limit=100')
    expect(audit.text).not.toContain(secret.slice(6, 20))
  })

  it('stays where a save leaves it out, or leaves the callback out', async () => {
    const { record, definition } = await workflow()
    const url = `/api/workflows/${record.id}`
    const moved = { ...definition, callback: { url: `${receiver.url}/other` } }
    expect(saved(await call('PUT', url, moved)).callback).toMatchObject({ secret: null })
    const { callback: _, ...without } = definition
    const kept = saved(await call('PUT', url, without)).callback
    expect(kept).toMatchObject({ url: `${receiver.url}/other`, secret: null })
    expect(kept?.secret_set_at).toBe(record.callback?.secret_set_at)
  })

  it('is asked for again where the URL leads to another host', async () => {
    const { record, definition } = await workflow()
    const url = `/api/workflows/${record.id}`
    const elsewhere = { url: 'https://elsewhere.example/in' }
    const refused = await call('PUT', url, { ...definition, callback: elsewhere })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('another host')
    const made = { ...definition, callback: { ...elsewhere, new_secret: true } }
    expect(saved(await call('PUT', url, made)).callback).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      old_secret_until: null,
    })
    // An earlier version is for the first host: its secret is gone, and a new one is made.
    const restored = saved(await call('POST', `${url}/versions/1/restore`))
    expect(restored.callback?.url).toBe(`${receiver.url}/in`)
    expect(restored.callback?.secret).toMatch(/^whsec_/)
    expect(restored.callback?.secret).not.toBe(record.callback?.secret)
  })

  it('signs for a day after another has taken its place', async () => {
    const { record, definition, start } = await workflow()
    const url = `/api/workflows/${record.id}`
    const rotated = {
      ...definition,
      callback: { url: `${receiver.url}/in`, new_secret: true },
    }
    expect(saved(await call('PUT', url, rotated)).callback?.old_secret_until).toBe(
      new Date(app.server.time.now.getTime() + 86_400_000).toISOString(),
    )
    await start()
    await deliver()
    const signatures = () =>
      String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')
    expect(signatures()).toHaveLength(2)
    app.server.time.now = new Date(app.server.time.now.getTime() + 86_400_000)
    await start()
    await deliver()
    expect(signatures()).toHaveLength(1)
  })
})

describe('the result of a run', () => {
  it('is sent as the run’s own route shows it', async () => {
    const { record, start } = await workflow()
    const id = await start('INV-1')
    const [message] = await messages()
    const shown = await call('GET', `/api/workflows/${record.slug}/runs/${id}`)
    expect(message).toEqual({
      type: 'run.succeeded',
      timestamp: expect.any(String),
      data: shown.body,
    })
  })

  it('is sent when it is rejected, and when nothing was sent', async () => {
    const { start, flow } = await workflow()
    app.answer(json(422, { no: 1 }))
    await start('R')
    await app.server.db
      .updateTable('endpoint')
      .set({ status: 'disabled' })
      .where('id', '=', post)
      .execute()
    await start('B')
    await app.server.db
      .updateTable('endpoint')
      .set({ status: 'active' })
      .where('id', '=', post)
      .execute()
    await app.server.db.updateTable('lane').set({ is_paused: 1 }).execute()
    const waiting = await start('C')
    await call('POST', `/api/runs/${waiting}/cancel`)
    await app.put(flow, {
      reference: 'D',
      deadlineAt: new Date(app.server.time.now.getTime() + 1_000).toISOString(),
    })
    await app.later(2_000)
    const sent = (await messages()).map(({ type, data }) => [type, data.run.reference])
    expect(sent.toSorted()).toEqual([
      ['run.blocked', 'B'],
      ['run.cancelled', 'C'],
      ['run.not_started', 'D'],
      ['run.rejected', 'R'],
    ])
  })

  it('is sent when it is unknown, and again when it is settled, in that order', async () => {
    const { start } = await workflow()
    app.answer((_request, _response, socket) => socket.destroy())
    status = 503
    const id = await start('U')
    await deliver()
    const resolve = await call('POST', `/api/runs/${id}/resolve`, {
      step: 1,
      verdict: 'received',
      reference: 'EIN1',
      note: 'seen on the portal',
    })
    expect(resolve.status).toBe(200)
    status = 204
    await deliver()
    expect(receiver.received).toHaveLength(1)
    app.server.time.now = new Date(app.server.time.now.getTime() + 10_000)
    const types = (await messages()).map(({ type }) => type)
    expect(types).toEqual(['run.unknown', 'run.unknown', 'run.succeeded'])
  })

  it('is in the outbox if and only if the run has ended', async () => {
    const { start } = await workflow()
    const { start: quiet } = await workflow({ callback: null })
    await app.server.db.updateTable('lane').set({ is_paused: 1 }).execute()
    const queued = await start()
    const none = await quiet()
    const rows = await app.server.db
      .selectFrom('delivery')
      .select('id')
      .where('run_id', 'in', [queued, none])
      .execute()
    expect(rows).toEqual([])
  })
})

describe('POST /api/workflows/:id/callback/test', () => {
  it('sends a signed message of the type test', async () => {
    const { record } = await workflow()
    const { status: answered, body } = await call(
      'POST',
      `/api/workflows/${record.id}/callback/test`,
    )
    expect(answered).toBe(202)
    const [message] = await messages()
    expect(message).toMatchObject({ type: 'test', data: { workflow: { slug: record.slug } } })
    const { delivery_id } = body as { delivery_id: number }
    expect((await call('GET', `/api/deliveries/${delivery_id}`)).body).toMatchObject({
      delivery: { kind: 'test', state: 'delivered', workflow: { id: record.id } },
    })
  })

  it('409 without a callback, 404 without a workflow', async () => {
    const { record } = await workflow({ callback: null })
    const none = await call('POST', `/api/workflows/${record.id}/callback/test`)
    expect(none.body).toMatchObject({ code: 'workflow.no_callback' })
    expect((await call('POST', '/api/workflows/999999/callback/test')).status).toBe(404)
  })
})

describe('a batch', () => {
  it('is reported once, when its last run has ended', async () => {
    const { record } = await workflow()
    const held = Promise.withResolvers<void>()
    app.answer((...exchange) => void held.promise.then(() => ok(...exchange)))
    const upload = await app.server.send('POST', `/api/workflows/${record.slug}/batches`, {
      token,
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': `batch-${++count}` },
      body: '{"id":"of-batch-1","no":"A"}\n{"id":"of-batch-2","no":"B"}\n',
    })
    expect(upload.status).toBe(202)
    const { unattended, batches } = app.server
    await unattended.batchReporter.look()
    expect((await messages()).some(({ type }) => type === 'batch.finished')).toBe(false)
    held.resolve()
    await batches.keeper.look()
    await app.later(1_000)
    await unattended.batchReporter.look()
    await unattended.batchReporter.look()
    const all = await messages()
    expect(all.map(({ type }) => type).toSorted()).toEqual([
      'batch.finished',
      'run.succeeded',
      'run.succeeded',
    ])
    expect(all.find(({ type }) => type === 'batch.finished')?.data.batch).toMatchObject({
      total: 2,
      state: 'finished',
      counts: { succeeded: 2 },
    })
  })
})
