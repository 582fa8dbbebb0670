// Databases: SQLite.

import { createHmac } from 'node:crypto'
import { readTraceparent } from '@gatehouse/logging/spans'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMachineServer, type MachineServer } from '../../../../test/servers/machine-server.ts'
import { startCollector, valuesOf } from '../../../../test/servers/span-collector.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerId = 'b7ad6b7169203331'
const headers = { traceparent: `00-${traceId}-${callerId}-01` }

let collector: Awaited<ReturnType<typeof startCollector>>
let app: MachineServer
let flow: Awaited<ReturnType<MachineServer['workflow']>>
beforeAll(async () => {
  collector = await startCollector()
  app = await startMachineServer(collector.environment)
  const post = await app.endpoint({ path: '/post' })
  flow = await app.workflow([{ endpointId: post, text: '{"no":"{{input.no}}"}' }])
})
afterAll(async () => {
  await app.close()
  await collector.close()
})

/** The spans of runs, once this many have ended. */
async function runs(count: number) {
  const found = () => collector.spans().filter(({ name }) => name === `run ${flow.slug}`)
  const look = async () => {
    await app.server.runSpans?.flush()
    return found().length
  }
  await expect.poll(look).toBe(count)
  const spans = found()
  collector.received.length = 0
  return spans
}

it('a run that a machine starts continues its trace, in the span that the workflow names', async () => {
  const erp = await app.machine(flow)
  app.upstream.received.length = 0
  const started = await app.start(flow.slug, erp.token, { no: 'A' }, { headers })
  expect(started.status, started.text).toBe(202)
  const [run] = await runs(1)
  expect(run).toMatchObject({ traceId, parentSpanId: callerId })
  expect(valuesOf(run!)).toMatchObject({
    'gatehouse.workflow': flow.slug,
    'gatehouse.workflow_version': '1',
    'gatehouse.run_state': 'succeeded',
  })
  const [sent] = app.upstream.received
  expect(readTraceparent(String(sent?.headers.traceparent))).toMatchObject({ traceId })
})

it('each run of a batch continues the trace of the upload', async () => {
  const erp = await app.machine(flow)
  const answer = await app.server.send('POST', `/api/workflows/${flow.slug}/batches`, {
    token: erp.token,
    headers: {
      ...headers,
      'content-type': 'application/x-ndjson',
      'idempotency-key': 'batch-1-key',
    },
    body: '{"no":"B"}\n{"no":"C"}',
  })
  expect(answer.status, answer.text).toBe(202)
  const spans = await runs(2)
  expect(spans.map((run) => [run.traceId, run.parentSpanId])).toEqual([
    [traceId, callerId],
    [traceId, callerId],
  ])
  expect(spans[0]?.spanId).not.toBe(spans[1]?.spanId)
})

it('a webhook’s run continues the trace of the message', async () => {
  const token = app.server.admin.token
  const made = await app.server.send('POST', `/api/workflows/${flow.id}/hooks`, {
    token,
    body: { name: 'traced', preset: 'standard' },
  })
  const { secret } = made.body as { secret: string }
  const body = '{"no":"D"}'
  const timestamp = String(Math.floor(app.server.time.now.getTime() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`m1.${timestamp}.${body}`).digest('base64')
  const received = await app.server.send('POST', '/hooks/traced', {
    headers: {
      ...headers,
      'content-type': 'application/json',
      'webhook-id': 'm1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  })
  expect(received.status, received.text).toBe(202)
  expect(await runs(1)).toMatchObject([{ traceId, parentSpanId: callerId }])
})

it.each([
  ['no trace', `00-${'0'.repeat(32)}-${callerId}-01`],
  ['capital letters', headers.traceparent.toUpperCase()],
  ['another shape', 'nonsense'],
])('a traceparent with %s begins another trace', async (what, traceparent) => {
  const erp = await app.machine(flow)
  await app.start(flow.slug, erp.token, { no: what }, { headers: { traceparent } })
  const [run] = await runs(1)
  expect(run?.parentSpanId).toBeUndefined()
  expect(run?.traceId).not.toBe(traceId)
})

it('with spans off no trace is stored and no header is sent', async () => {
  const off = await startMachineServer()
  const plain = await off.workflow([{ endpointId: await off.endpoint(), text: '{}' }])
  const erp = await off.machine(plain)
  await off.start(plain.slug, erp.token, {}, { headers })
  await expect.poll(() => off.upstream.received.length).toBe(1)
  expect(off.upstream.received[0]?.headers).not.toHaveProperty('traceparent')
  const row = await off.server.db.selectFrom('run').select('trace_id').executeTakeFirst()
  expect(row).toEqual({ trace_id: null })
  await off.close()
})
