import type { FirstSteps } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'
import { createTestDatabase } from '../../../test/test-database.ts'

let server: TestServer
const open: { close: () => Promise<void> }[] = []
const build = async (...given: Parameters<typeof buildServer>) => {
  server = await buildServer(...given)
  open.push(server)
}
beforeEach(() => build({}, recordingGateway().link))
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const send = (method: 'GET' | 'POST' | 'DELETE' | 'PUT', url: string, body?: unknown) =>
  server.send(method, url, { token: server.admin.token, body })
const show = async () => (await send('GET', '/api/first-steps')).body as FirstSteps
const choose = () => send('POST', '/api/first-steps/sample')
const sampleUrl = async () =>
  (await server.db.selectFrom('api').select('api_url').executeTakeFirstOrThrow()).api_url!

describe('the sample service', () => {
  it('is not there until it is chosen, and answers then', async () => {
    expect((await show()).sample).toEqual({ is_running: false, refusal: null })
    const chosen = await choose()
    expect(chosen.status, chosen.text).toBe(201)
    expect(chosen.body).toEqual({ api: { id: expect.any(Number), name: 'Sample service' } })
    const url = await sampleUrl()
    const answer = await fetch(`${url}/invoices`)
    expect(await answer.json()).toMatchObject({ total: 3 })
    expect((await fetch(`${url}/invoices/INV-1002`)).status).toBe(200)
    expect((await fetch(`${url}/invoices/none`)).status).toBe(404)
    expect((await fetch(`${url}/invoices`, { method: 'DELETE' })).status).toBe(405)
    expect((await fetch(`${url}/`)).status).toBe(404)
    expect((await fetch(`${url}//`)).status).toBe(400)
    expect((await show()).sample.is_running).toBe(true)
  })

  it('echoes a request without its credentials, up to 64 KiB', async () => {
    await choose()
    const url = `${await sampleUrl()}/echo?a=1`
    const headers = { authorization: 'Bearer secret-1', cookie: 'k=secret-2', 'x-shown': 'yes' }
    const echoed = await fetch(url, { method: 'POST', headers, body: 'hello' })
    const text = await echoed.text()
    expect(text).not.toContain('secret-')
    expect(JSON.parse(text)).toMatchObject({ body: 'hello', query: [{ name: 'a', value: '1' }] })
    expect(text).toContain('"x-shown"')
    const large = await fetch(url, { method: 'POST', body: 'x'.repeat(65_537) })
    expect(large.status).toBe(413)
  })

  it('is registered once, with endpoints that ask for a token', async () => {
    await choose()
    await choose()
    const rows = await server.db.selectFrom('endpoint').select(['path', 'authentication']).execute()
    expect(rows).toEqual([
      { path: '/invoices', authentication: 1 },
      { path: '/invoices/{number}', authentication: 1 },
      { path: '/echo', authentication: 1 },
    ])
    expect((await server.db.selectFrom('api').select('id').execute()).length).toBe(1)
  })

  it('leaves the endpoints to those who may create them', async () => {
    const { token } = await server.buildUser({ permissions: ['api.create'] })
    expect((await server.send('POST', '/api/first-steps/sample', { token })).status).toBe(201)
    expect(await server.db.selectFrom('endpoint').select('id').execute()).toEqual([])
    await choose()
    expect((await server.db.selectFrom('endpoint').select('id').execute()).length).toBe(3)
  })

  it('takes another name where its own is taken', async () => {
    await send('POST', '/api/apis', httpApi({ name: 'sample Service' }))
    const { api } = (await choose()).body as { api: { name: string } }
    expect(api.name).toMatch(/^Sample service \d+$/)
  })

  it('closes once no API has its address, and is forgotten', async () => {
    const { api } = (await choose()).body as { api: { id: number } }
    const url = await sampleUrl()
    await server.sample.look()
    expect((await fetch(`${url}/invoices`)).status).toBe(200)
    const rows = await server.db.selectFrom('endpoint').select('id').execute()
    for (const { id } of rows) await send('DELETE', `/api/endpoint/${id}`)
    expect((await send('DELETE', `/api/apis/${api.id}`)).status).toBe(204)
    await server.sample.look()
    await expect(fetch(`${url}/invoices`)).rejects.toThrow()
    expect(await server.db.selectFrom('sample_service').selectAll().execute()).toEqual([])
  })

  it.each([
    ['UPSTREAM_DENY', '127.0.0.0/8'],
    ['UPSTREAM_ALLOW', '10.0.0.0/8'],
  ])('is refused where %s closes loopback, and nothing is left', async (name, range) => {
    await build({ [name]: range }, recordingGateway().link)
    const answer = await choose()
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 'sample.refused',
      message: expect.stringContaining(name),
    })
    expect((await show()).sample).toEqual({
      is_running: false,
      refusal: expect.stringContaining(name),
    })
    expect(await server.db.selectFrom('api').select('id').execute()).toEqual([])
  })

  it('needs a gateway in the same process', async () => {
    await build()
    expect((await choose()).body).toMatchObject({ code: 'gateway.absent' })
    expect((await show()).sample.refusal).toBe('This server has no gateway.')
  })
})

it('the sample service listens at the same address after a start', async () => {
  const database = await createTestDatabase()
  const kept = { ...database, drop: async () => {} }
  await build({}, recordingGateway().link, kept)
  const { secrets } = server
  await choose()
  const url = await sampleUrl()
  await server.close()
  open.length = 0
  await expect(fetch(`${url}/invoices`)).rejects.toThrow()
  await build({}, recordingGateway().link, database, { secrets, instanceId: 'after' })
  await server.sample.start()
  expect((await fetch(`${url}/invoices`)).status).toBe(200)
})

describe('the first steps', () => {
  const empty = { api: null, endpoint: null, callers: [], has_token: false, has_call: false }

  it('are all open in a new product', async () => {
    expect(await show()).toMatchObject({
      ...empty,
      is_new: true,
      client_role: { name: 'API Consumer' },
    })
  })

  it('are done one by one, by what exists', async () => {
    await send('POST', '/api/apis', httpApi({ name: 'Ours' }))
    const { api } = await show()
    expect(api).toEqual({ id: expect.any(Number), name: 'Ours' })
    const create = async (more: Record<string, unknown>) =>
      ((await send('POST', '/api/endpoint', endpointOf(api!.id, more))).body as { id: number }).id
    const posting = await create({ method_type: 'post', path: '/send' })
    expect((await show()).endpoint).toMatchObject({ path: '/ours/send', is_guarded: false })
    await create({ path: '/posts/{id}' })
    const easy = await create({ path: '/posts', authentication: 1 })
    const { endpoint, callers, client_role } = await show()
    expect(endpoint).toMatchObject({ id: easy, is_guarded: true, path: '/ours/posts' })
    expect(endpoint?.siblings).toHaveLength(3)
    expect(endpoint?.siblings).toContain(posting)
    expect(callers).toEqual([])
    const access = `/api/api-permission/${client_role!.id}/update`
    expect((await send('PUT', access, { endpoints: [easy] })).status).toBe(200)
    expect((await show()).callers).toEqual([client_role])
    await send('POST', '/admin/token/store', { user: 4 })
    expect(await show()).toMatchObject({ has_token: true, has_call: false, is_new: true })
    const counted = (refused: number) => ({
      endpoint_id: easy,
      status: refused ? 404 : 200,
      requests: 1,
      duration_ms: 1,
      bytes_in: 0,
      bytes_out: 0,
      buckets: Array.from({ length: 31 }, () => 0),
    })
    server.traffic.record({ traffic: [counted(1)], token_uses: [], tool_calls: [] })
    await server.traffic.flush()
    expect((await show()).has_call).toBe(false)
    server.traffic.record({ traffic: [counted(0)], token_uses: [], tool_calls: [] })
    await server.traffic.flush()
    expect(await show()).toMatchObject({ has_call: true, is_new: false })
  })

  it('a token that was revoked counts no longer', async () => {
    const { access_token } = (await send('POST', '/admin/token/store', { user: 4 })).body as {
      access_token: { id: number }
    }
    await send('DELETE', `/api/token/${access_token.id}`)
    expect((await show()).has_token).toBe(false)
  })
})
