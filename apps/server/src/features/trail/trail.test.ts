import type { TrailEvent } from '@gatehouse/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addEndedRuns } from '../../../test/rows/archive-rows.ts'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { keyOf } from '../../../test/rows/carry-document.ts'
import { createLogFolder } from '../../../test/places/log-folder.ts'

const folder = createLogFolder()
const requestId = '6b66d251-5ec7-4fd9-a0fb-93f2a4eb4765'
const otherId = '7f18eb49-c5c2-45ed-a42b-1ca06060764c'
let server: TestServer
let runId: number
let tokenId: number
let deliveryId: number

beforeAll(async () => {
  server = await buildServer({ DATA_DIR: folder.dataDir })
  const { token } = server.admin
  const made = await server.send('POST', '/admin/token/store', {
    token,
    body: { name: 'Till 4', expires_in_days: '30' },
  })
  tokenId = (made.body as { access_token: { id: number } }).access_token.id
  const at = new Date('2026-06-01T08:00:00.000Z')
  ;[runId = 0] = await addEndedRuns(server.db, {
    at,
    count: 1,
    run: { request_id: requestId, reference: 'INV-77', search_text: `inv-77 ${requestId}` },
  })
  const moment = at.toISOString()
  await server.db
    .insertInto('document')
    .values({
      ...keyOf('INV-77'),
      state: 'accepted',
      run_id: runId,
      created_at: moment,
      updated_at: moment,
    })
    .execute()
  const delivery = await server.db
    .insertInto('delivery')
    .values({
      message_id: 'm-1',
      kind: 'callback',
      channel: 'webhook',
      target: JSON.stringify({ url: 'https://erp.example.com/done' }),
      place: 'erp.example.com',
      subject: 'INV-77 was accepted',
      payload: '{}',
      run_id: runId,
      state: 'delivered',
      next_try_at: moment,
      give_up_at: moment,
      created_at: '2026-06-01T08:00:05.000Z',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  deliveryId = delivery.id
  writeLogs()
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

function writeLogs(): void {
  const line = (fields: object) => `${JSON.stringify({ level: 'info', ...fields })}\n`
  const request = { context: 'gateway', method: 'POST', path: '/shop/orders', duration_ms: 12.5 }
  const more = {
    upstream_ms: 1,
    upstream_status: 200,
    bytes_in: 0,
    bytes_out: 2,
    client: '10.0.0.7',
  }
  const sent = { ...request, ...more, token_id: tokenId, user_id: server.admin.id }
  folder.write(
    'gateway/gateway-1-2026-06-01.log',
    line({ time: '2026-06-01T07:59:59.000Z', request_id: otherId, status: 404, ...sent }) +
      line({ time: '2026-06-01T08:00:01.000Z', request_id: requestId, status: 200, ...sent }),
  )
  folder.write(
    'admin/admin-2026-06-01.log',
    line({
      time: '2026-06-01T08:00:02.000Z',
      context: 'admin',
      request_id: requestId,
      msg: 'POST /api/tax 200',
    }) +
      line({
        time: '2026-06-01T08:00:03.000Z',
        context: 'admin',
        request_id: otherId,
        msg: 'other',
      }),
  )
  folder.write(
    'runs/runs-2026-06-01.log',
    line({ time: '2026-06-01T08:00:04.000Z', context: 'runs', request_id: requestId, msg: 'sent' }),
  )
}

async function find(q: string, token = server.admin.token) {
  const { status, body } = await server.send(
    'GET',
    `/api/search/trail?${new URLSearchParams({ q }).toString()}`,
    {
      token,
    },
  )
  expect(status).toBe(200)
  return body as {
    subjects: unknown[]
    events: TrailEvent[]
    left_out: string[]
    has_more: boolean
  }
}
const sourcesOf = (events: readonly TrailEvent[]) => events.map(({ source }) => source)

it('a request id leads to its run, deliveries, gateway request and lines of logs, in order', async () => {
  const { subjects, events, has_more, left_out } = await find(requestId)
  expect([subjects, has_more, left_out]).toEqual([
    [{ kind: 'request', name: requestId }],
    false,
    [],
  ])
  expect(sourcesOf(events).filter((each) => each !== 'attempt')).toEqual([
    'run',
    'gateway',
    'admin_log',
    'run_log',
    'delivery',
  ])
  expect(events.find(({ source }) => source === 'gateway')).toMatchObject({
    text: 'POST /shop/orders',
    outcome: '200',
    request_id: requestId,
  })
  expect(events.find(({ source }) => source === 'run_log')).toMatchObject({
    line: { file: 'runs/runs-2026-06-01.log', entry: 0 },
  })
  expect(events.find(({ source }) => source === 'delivery')).toMatchObject({
    id: deliveryId,
    outcome: 'delivered',
  })
  expect(events.every(({ request_id }) => request_id !== otherId)).toBe(true)
})

it('a reference leads to its document and run, and by the run to the request', async () => {
  const { subjects, events } = await find('inv-77')
  expect(subjects).toEqual([{ kind: 'reference', name: 'inv-77' }])
  expect(new Set(sourcesOf(events))).toEqual(
    new Set(['document', 'run', 'attempt', 'gateway', 'admin_log', 'run_log', 'delivery']),
  )
  expect(events.find(({ source }) => source === 'run')).toMatchObject({ id: runId })
})

it('the name of a token leads to its requests and its audit events', async () => {
  const { subjects, events } = await find('till 4')
  expect(subjects).toEqual([{ kind: 'token', name: 'till 4' }])
  expect(
    events.filter(({ source }) => source === 'gateway').map(({ request_id }) => request_id),
  ).toEqual([otherId, requestId])
  expect(events.find(({ source }) => source === 'token')).toMatchObject({ id: tokenId })
  expect(sourcesOf(events)).toContain('audit')
})

it('what is called otherwise is not found, and what the caller may not see is named', async () => {
  expect(await find('INV-7')).toMatchObject({ subjects: [], events: [] })
  expect(await find('')).toMatchObject({ subjects: [], events: [] })
  const { token } = await server.buildUser({ permissions: ['run.view'] })
  const { events, left_out } = await find(requestId, token)
  expect(new Set(sourcesOf(events))).toEqual(new Set(['run', 'attempt']))
  expect(left_out.toSorted()).toEqual(['admin_log', 'audit', 'delivery', 'gateway'])
})
