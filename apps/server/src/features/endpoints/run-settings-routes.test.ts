import { defaultRunSettings } from '@gatehouse/contract'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointOf, type TestServer } from '../../../test/servers/build-server.ts'
import { buildServerWithApi } from '../../../test/servers/endpoint-server.ts'

let server: TestServer
let token: string
let apiId: number
beforeAll(async () => {
  ;({ server, token, apiId } = await buildServerWithApi())
})
afterAll(() => server.close())
beforeEach(() => server.db.deleteFrom('endpoint').execute())

const submit = { method_type: 'post', path: '/invoices' }

async function created(overrides: Record<string, unknown> = {}) {
  const body = endpointOf(apiId, { ...submit, ...overrides })
  const answer = await server.send('POST', '/api/endpoint', { token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: number; version: number; run_settings: unknown }
}

const put = (id: number, overrides: Record<string, unknown>) =>
  server.send('PUT', `/api/endpoint/${id}`, {
    token,
    body: endpointOf(apiId, { ...submit, ...overrides }),
  })

const stored = async (id: number) => {
  const answer = await server.send('GET', `/api/endpoint/${id}/edit`, { token })
  return (answer.body as [{ run_settings: unknown; version: number }])[0]
}

const asking = (endpoint_id: number) => ({
  status_query: {
    endpoint_id,
    received: { statuses: '200' },
    not_received: { statuses: '404' },
    reference_path: 'number',
  },
})

describe('run settings', () => {
  it('are the defaults until they are given, and stay as they are when they are not', async () => {
    const { id, run_settings } = await created()
    expect(run_settings).toEqual(defaultRunSettings)
    const profile = runProfiles.find(({ name }) => name === 'zatca-reporting')
    const saved = await put(id, { run_settings: profile?.settings })
    expect(saved.status, saved.text).toBe(200)
    expect(await stored(id)).toMatchObject({ run_settings: profile?.settings, version: 2 })
    await put(id, { summery: 'Another name' })
    expect(await stored(id)).toMatchObject({ run_settings: profile?.settings, version: 3 })
    await put(id, { run_settings: {} })
    expect((await stored(id)).run_settings).toEqual(defaultRunSettings)
  })

  it('are in the audit trail before and after, and come back from it', async () => {
    const { id } = await created({ run_settings: { effect: 'idempotent' } })
    await put(id, { run_settings: { effect: 'read', reference_path: 'number' } })
    const answer = await server.send('GET', `/api/audit?thing=endpoint&thing_id=${id}`, { token })
    const [{ data: events }] = answer.body as [
      { data: { id: number; action: string; before: unknown; after: unknown }[] },
    ]
    expect(events[0]).toMatchObject({
      before: { run_settings: { effect: 'idempotent', reference_path: '' } },
      after: { run_settings: { effect: 'read', reference_path: 'number' } },
    })
    const restored = await server.send('POST', `/api/audit/${events[1]?.id}/restore`, { token })
    expect(restored.status, restored.text).toBe(200)
    expect((await stored(id)).run_settings).toMatchObject({ effect: 'idempotent' })
  })

  it('of an earlier release read with the defaults of what it did not know', async () => {
    const { id } = await created()
    await server.db
      .updateTable('endpoint')
      .set({ run_settings: '{"effect":"read"}' })
      .where('id', '=', id)
      .execute()
    expect((await stored(id)).run_settings).toEqual({ ...defaultRunSettings, effect: 'read' })
  })

  it('reach the runs with the endpoint', async () => {
    const { id } = await created({ run_settings: { idempotency_header: 'X-Key' } })
    const endpoint = await server.stores.endpoints.find(id)
    expect(JSON.parse(endpoint?.run_settings ?? '')).toMatchObject({ idempotency_header: 'X-Key' })
  })
})

describe('422', () => {
  it('names the nested field at fault beside the others', async () => {
    const body = endpointOf(apiId, {
      ...submit,
      path: '',
      run_settings: { success_rule: { conditions: [{ path: 'a..b', test: 'exists' }] } },
    })
    const answer = await server.send('POST', '/api/endpoint', { token, body })
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors).toSorted()).toEqual([
      'path',
      'run_settings.success_rule.conditions.0.path',
    ])
  })

  it('a status query asks an active GET endpoint that exists and is another', async () => {
    const field = 'run_settings.status_query.endpoint_id'
    const { id } = await created()
    const post = await created({ path: '/status' })
    const off = await created({ path: '/off', method_type: 'get', status: 'disabled' })
    for (const asked of [id, post.id, off.id, 999_999]) {
      const answer = await put(id, { run_settings: asking(asked) })
      expect(answer.status, String(asked)).toBe(422)
      expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
    }
  })

  it.each(['submit', 'idempotent'])(
    'a status query asks no GET endpoint that is set to %s',
    async (effect) => {
      const field = 'run_settings.status_query.endpoint_id'
      const asked = await created({ path: '/status', method_type: 'get', run_settings: { effect } })
      const answer = await put((await created()).id, { run_settings: asking(asked.id) })
      expect(answer.status, answer.text).toBe(422)
      expect((answer.body as { errors: Record<string, string[]> }).errors).toEqual({
        [field]: [expect.stringContaining('effect')],
      })
    },
  )

  it('an endpoint that is asked keeps the effect read', async () => {
    const status = { path: '/status', method_type: 'get' }
    const asked = await created(status)
    await created({ summery: 'Send invoice', run_settings: asking(asked.id) })
    for (const effect of ['submit', 'idempotent']) {
      const answer = await put(asked.id, { ...status, run_settings: { effect } })
      expect(answer.status, answer.text).toBe(422)
      expect((answer.body as { errors: Record<string, string[]> }).errors).toEqual({
        'run_settings.effect': [expect.stringContaining('Send invoice')],
      })
    }
    for (const effect of ['', 'read']) {
      expect((await put(asked.id, { ...status, run_settings: { effect } })).status).toBe(200)
    }
  })

  it('an endpoint that is asked stays a GET', async () => {
    const asked = await created({ path: '/status', method_type: 'get' })
    await created({ run_settings: asking(asked.id) })
    const answer = await put(asked.id, { path: '/status', method_type: 'post' })
    expect((answer.body as { errors: object }).errors).toHaveProperty('method_type')
  })
})

it('an endpoint that is asked is not deleted (409), and may be disabled', async () => {
  const asked = await created({ path: '/status', method_type: 'get' })
  const asker = await created({ summery: 'Send invoice', run_settings: asking(asked.id) })
  const refused = await server.send('DELETE', `/api/endpoint/${asked.id}`, { token })
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({ code: 'endpoint.in_use' })
  expect((refused.body as { message: string }).message).toContain('Send invoice')
  const disabled = { path: '/status', method_type: 'get', status: 'disabled' }
  expect((await put(asked.id, disabled)).status).toBe(200)
  const kept = await put(asker.id, { run_settings: asking(asked.id) })
  expect(kept.status, kept.text).toBe(200)
  await put(asker.id, { run_settings: {} })
  const deleted = await server.send('DELETE', `/api/endpoint/${asked.id}`, { token })
  expect(deleted.status).toBe(204)
})
