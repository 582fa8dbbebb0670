import type { Readable } from 'node:stream'
import type { BatchRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startMachineServer, type MachineServer } from './machine-server.ts'
import { json } from './run-server.ts'

const uuid = () => crypto.randomUUID()
export const batchTypesByName = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const

interface Upload {
  type?: keyof typeof batchTypesByName
  token?: string
  key?: string
  path?: string
}

interface BatchServer {
  app: MachineServer
  /** A workflow of the test, whose reference is `no`, and a machine that may start it. */
  flow: Awaited<ReturnType<MachineServer['workflow']>>
  erp: Awaited<ReturnType<MachineServer['machine']>>
}

/** A server for the batches of a file's tests. Each test has a workflow of its own. */
export function startBatchServer() {
  const shared = {} as BatchServer
  let post: number
  beforeAll(async () => {
    shared.app = await startMachineServer()
    post = await shared.app.endpoint({ path: '/post' })
  })
  afterAll(() => shared.app.close())
  beforeEach(async () => {
    const { app } = shared
    // What the test before has left behind is not counted.
    await settled()
    app.upstream.received.length = 0
    app.answer(json(200, { ok: true }))
    shared.flow = await app.workflow([{ endpointId: post, text: '{"no":"{{input.no}}"}' }], {
      kind: 'tax',
      definition: { reference_path: 'no' },
      lane: { is_paused: 0 },
    })
    shared.erp = await app.machine(shared.flow)
  })

  async function upload(
    body: string | Readable,
    { type = 'ndjson', token = shared.erp.token, key = uuid(), path = '' }: Upload = {},
  ) {
    const headers = { 'content-type': batchTypesByName[type], 'idempotency-key': key }
    const url = `/api/workflows/${shared.flow.slug}/batches${path}`
    return shared.app.server.send('POST', url, { token, headers, body })
  }

  /** Entries follow, and what can be carried out is. */
  async function settled() {
    await shared.app.server.batches.keeper.look()
    await shared.app.server.batches.keeper.look()
    await shared.app.settled()
  }

  const at = (id: number, path = '') => `/api/workflows/${shared.flow.slug}/batches/${id}${path}`
  const call = async (
    method: 'GET' | 'POST',
    id: number,
    path = '',
    token = shared.app.server.admin.token,
  ) => shared.app.server.send(method, at(id, path), { token })

  async function runCount() {
    const rows = await shared.app.server.db
      .selectFrom('run')
      .select('id')
      .where('workflow_id', '=', shared.flow.id)
      .execute()
    return rows.length
  }
  const show = async (id: number) => batchIn(await call('GET', id))
  return { shared, upload, settled, at, call, show, runCount }
}

export const batchIn = (answer: { body: unknown }) => (answer.body as { batch: BatchRecord }).batch

/** JSON lines with these references. */
export const linesOf = (...references: string[]) =>
  references.map((no) => JSON.stringify({ no })).join('\n')
