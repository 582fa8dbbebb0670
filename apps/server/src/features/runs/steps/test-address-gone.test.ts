// Databases: SQLite.

import { defaultRunSettings } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startUpstream } from '../../../../test/servers/hostile-upstream.ts'
import {
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'

let app: RunServer
let sandbox: Awaited<ReturnType<typeof startUpstream>>
let inSandbox: Answerer
beforeAll(async () => {
  app = await startRunServer()
  sandbox = await startUpstream((...exchange) => inSandbox(...exchange))
})
afterAll(async () => {
  await app.close()
  await sandbox.close()
})
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
})

const test = { test_invoice: true }
const resume = (id: number) => app.post(`/api/runs/${id}/resume`, {})
let apis = 0

/** An API with that test address, an endpoint of it, and what takes the address away again. */
async function tested(test_api_url: string, overrides: Record<string, unknown> = {}) {
  const api = await app.createApi({ name: `Tested ${++apis}`, test_api_url })
  const endpoint = await app.endpoint(overrides, api)
  const forget = () =>
    app.server.db.updateTable('api').set({ test_api_url: null }).where('id', '=', api).execute()
  return { endpoint, forget }
}

describe('a test whose API has lost its test address meanwhile', () => {
  it('is not sent to production on Resume, but kept as it would be sent', async () => {
    const { endpoint, forget } = await tested('http://127.0.0.1:9')
    const { id, state } = runOf(await app.tax([{ end_point: endpoint, body: '{"n":1}', ...test }]))
    expect(state).toBe('not_started')
    await forget()
    const resumed = await resume(id)
    expect(app.upstream.received).toEqual([])
    expect(resumed.status, resumed.text).toBe(200)
    expect(runOf(resumed)).toMatchObject({
      state: 'succeeded',
      is_dry_run: true,
      steps: [{ state: 'would_send' }],
    })
  })

  it('is not sent to production as the second step of two', async () => {
    inSandbox = json(200, { id: 1 })
    const first = await tested(sandbox.url)
    const second = await tested('http://127.0.0.1:9')
    const steps = [
      { end_point: first.endpoint, body: '{"n":2}', ...test },
      { end_point: second.endpoint, body: '{"id":"{{steps.1.body.id}}"}', ...test },
    ]
    const { id, state } = runOf(await app.tax(steps))
    expect(state).toBe('stopped')
    await second.forget()
    expect(runOf(await resume(id)).steps[1]).toMatchObject({ state: 'would_send' })
    expect(app.upstream.received).toEqual([])
  })

  it('refuses bytes that have left, also where both addresses are of one host', async () => {
    const { endpoint, forget } = await tested(`${app.upstream.url}/sandbox`)
    app.answer(json(401, {}))
    const { id } = runOf(await app.tax([{ end_point: endpoint, body: '{"n":3}', ...test }]))
    expect(app.upstream.received).toHaveLength(1)
    await forget()
    const refused = await resume(id)
    expect(refused.status, refused.text).toBe(422)
    expect(refused.body).toMatchObject({
      errors: { 'endpoint_1.end_point': [expect.stringContaining('another address')] },
    })
    expect(app.upstream.received).toHaveLength(1)
  })

  it('is not sent to production as a read, when it was planned as a submit', async () => {
    const submits = { method_type: 'get', run_settings: { effect: 'submit' } }
    const { endpoint, forget } = await tested('http://127.0.0.1:9', submits)
    const { id } = runOf(await app.tax([{ end_point: endpoint, body: '{"n":4}', ...test }]))
    await forget()
    const run_settings = JSON.stringify({ ...defaultRunSettings, effect: 'read' })
    await app.server.db
      .updateTable('endpoint')
      .set({ run_settings })
      .where('id', '=', endpoint)
      .execute()
    await resume(id)
    expect(app.upstream.received).toEqual([])
  })
})
