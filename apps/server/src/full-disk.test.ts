// Databases: SQLite.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RunSummary } from '@gatehouse/contract'
import { expect, it, onTestFinished } from 'vitest'
import { databaseFile } from './db/connect.ts'
import { endpointOf, httpApi, workflowOf } from '../test/servers/build-server.ts'
import { startUpstream } from '../test/servers/hostile-upstream.ts'
import { runServerProcess } from '../test/servers/run-server-process.ts'
import { fillDisk, mountSmallDisk, noSmallDisk, unmount } from '../test/places/small-disk.ts'
import { writeSqliteFile } from '../test/test-database.ts'

// The real server, with its data on a disk that becomes full while it runs. PostgreSQL has its own
// disk: this file is about the one of DATA_DIR.

const password = 'correct horse battery'
const large = 'x'.repeat(400_000)

interface Reply {
  status: number
  retryAfter: string | null
  body: { id: number; code: string; run?: RunSummary; token?: string } & Record<string, unknown>
}

/** A server on a disk of 32 MiB, signed in. Undefined where none can be mounted. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  if (!mountSmallDisk(folder, 'size=32m')) return undefined
  onTestFinished(() => unmount(folder))
  await writeSqliteFile(folder)
  const environment = {
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: password,
    DATABASE_URL: '',
  }
  const { url } = await runServerProcess({ dataDir: folder, environment })
  let token = ''
  async function send(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Reply> {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: (await answer.json()) as Reply['body'],
    }
  }
  const signedIn = await send('POST', '/api/login', { email: 'admin@example.com', password })
  expect(signedIn.status).toBe(200)
  token = String(signedIn.body.token)
  return { folder, send }
}

/** A journal that exists has room for changes: it is written back and cut before the disk is filled. */
function fill(folder: string): () => void {
  const db = new DatabaseSync(databaseFile(folder))
  db.exec('pragma busy_timeout = 5000')
  const { busy } = db.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number }
  db.close()
  expect(busy).toBe(0)
  return fillDisk(folder)
}

type Send = NonNullable<Awaited<ReturnType<typeof start>>>['send']

async function registerInvoices(send: Send, api_url: string) {
  const api = await send('POST', '/api/apis', httpApi({ api_url }))
  const body = endpointOf(api.body.id, { method_type: 'post', path: '/invoices' })
  const endpoint = await send('POST', '/api/endpoint', body)
  expect(endpoint.status).toBe(201)
  const invoice = (number: string) =>
    send('POST', '/api/tax', {
      endpoint_1: { end_point: endpoint.body.id, body: JSON.stringify({ number, text: large }) },
    })
  return { apiId: api.body.id, invoice }
}

const saveEndpoint = (send: Send, apiId: number, path: string) =>
  send(
    'POST',
    '/api/endpoint',
    endpointOf(apiId, { path, enable_custom_output: 1, custom_output: large.slice(0, 200_000) }),
  )

const numberIn = ({ body }: { body: string }) => (JSON.parse(body) as { number: string }).number

it('saves are refused with 507 while the disk is full, reads go on, and both once there is room', async (context) => {
  const server = await start()
  if (!server) {
    context.skip(noSmallDisk)
    return
  }
  const upstream = await startUpstream((_request, response) => void response.end('{}'))
  onTestFinished(() => upstream.close())
  const { apiId, invoice } = await registerInvoices(server.send, upstream.url)
  const makeRoom = fill(server.folder)
  expect(await saveEndpoint(server.send, apiId, '/refused')).toMatchObject({
    status: 507,
    body: { code: 'store.full' },
  })
  // A run that can't be kept is not sent.
  expect(await invoice('INV-1')).toMatchObject({ status: 507, body: { code: 'store.full' } })
  expect(upstream.received).toEqual([])
  expect(await server.send('GET', '/api/endpoint')).toMatchObject({
    status: 200,
    body: [{ total: 1 }],
  })
  expect((await server.send('GET', '/api/runs')).body).toMatchObject([{ total: 0 }])
  makeRoom()
  expect((await saveEndpoint(server.send, apiId, '/saved')).status).toBe(201)
  expect((await invoice('INV-1')).status).toBe(200)
  expect(upstream.received.map(numberIn)).toEqual(['INV-1'])
})

it('a machine’s call is refused with 503 while the disk is full, and taken with its key once there is room', async (context) => {
  const server = await start()
  if (!server) {
    context.skip(noSmallDisk)
    return
  }
  const { send, folder } = server
  const upstream = await startUpstream((_request, response) => void response.end('{}'))
  onTestFinished(() => upstream.close())
  const api = await send('POST', '/api/apis', httpApi({ api_url: upstream.url }))
  const endpoint = endpointOf(api.body.id, { method_type: 'post', path: '/invoices' })
  const { id } = (await send('POST', '/api/endpoint', endpoint)).body
  const flow = workflowOf(id, { steps: [invoiceStep(id)] })
  expect((await send('POST', '/api/workflows', flow)).status).toBe(201)
  const input = { number: 'INV-1', text: large }
  const startRun = () =>
    send('POST', `/api/workflows/${flow.slug}/runs`, input, {
      'idempotency-key': 'key-of-invoice-1',
      prefer: 'wait=20',
    })
  const makeRoom = fill(folder)
  const refused = await startRun()
  expect(refused).toMatchObject({ status: 503, body: { code: 'run.not_stored' } })
  expect(Number(refused.retryAfter)).toBeGreaterThan(0)
  expect(upstream.received).toEqual([])
  makeRoom()
  expect(await startRun()).toMatchObject({ status: 200, body: { run: { state: 'succeeded' } } })
  expect(upstream.received.map(numberIn)).toEqual(['INV-1'])
})

const invoiceStep = (endpoint_id: number) => ({
  endpoint_id,
  body: { kind: 'template', text: '{"number":"{{input.number}}","text":"{{input.text}}"}' },
  condition: null,
})

it('an answer that comes while the disk is full is held until there is room, and nothing is sent twice', async (context) => {
  const server = await start()
  if (!server) {
    context.skip(noSmallDisk)
    return
  }
  const full = Promise.withResolvers<() => void>()
  const upstream = await startUpstream((request, response) => {
    if (numberIn(request) === 'INV-1') full.resolve(fill(server.folder))
    response.end(JSON.stringify({ accepted: numberIn(request), text: large }))
  })
  onTestFinished(() => upstream.close())
  const { apiId, invoice } = await registerInvoices(server.send, upstream.url)
  const sending = invoice('INV-1')
  const makeRoom = await full.promise
  expect((await saveEndpoint(server.send, apiId, '/refused')).status).toBe(507)
  expect((await server.send('GET', '/api/runs')).body).toMatchObject([{ total: 1 }])
  makeRoom()
  const sent = await sending
  expect(sent).toMatchObject({ status: 200, body: { run: { state: 'succeeded' } } })
  // The same request is a replay: the run is known.
  expect((await invoice('INV-1')).body.run?.id).toBe(sent.body.run?.id)
  expect((await invoice('INV-2')).status).toBe(200)
  expect(upstream.received.map(numberIn)).toEqual(['INV-1', 'INV-2'])
})
