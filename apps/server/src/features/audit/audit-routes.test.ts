import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  testPassword,
  type TestServer,
} from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
beforeEach(async () => {
  server = await buildServer()
  token = server.admin.token
})
afterEach(() => server.close())

interface Event {
  id: number
  action: string
  actor: string
  outcome: string
  thing: string
  thing_id: number | null
  thing_name: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  can_restore: boolean
  request_id: string
  address: string
}

const events = async (query = '') => {
  const answer = await server.send('GET', `/api/audit?limit=100&${query}`, { token })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as [{ data: Event[]; total: number }])[0].data
}
const createApi = async (overrides: Record<string, unknown> = {}) => {
  const answer = await server.send('POST', '/api/apis', { token, body: httpApi(overrides) })
  return { id: (answer.body as { id: number }).id, requestId: answer.headers['x-request-id'] }
}

describe('the trail', () => {
  it('of one API has its endpoints too, also those that were deleted', async () => {
    const { id } = await createApi()
    const { id: other } = await createApi({ name: 'Other' })
    const create = async (api: number, path: string) => {
      const body = endpointOf(api, { path })
      const answer = await server.send('POST', '/api/endpoint', { token, body })
      return (answer.body as { id: number }).id
    }
    const kept = await create(id, '/kept')
    const gone = await create(id, '/gone')
    await create(other, '/others')
    await server.send('DELETE', `/api/endpoint/${gone}`, { token })
    const found = await events(`api_id=${id}`)
    expect(found.map(({ action, thing_id }) => [action, thing_id])).toEqual([
      ['endpoint.delete', gone],
      ['endpoint.create', gone],
      ['endpoint.create', kept],
      ['api.create', id],
    ])
    expect((await events(`api_id=${id}&thing=api`)).map(({ action }) => action)).toEqual([
      'api.create',
    ])
    expect((await server.send('GET', '/api/audit?api_id=x', { token })).status).toBe(422)
  })

  it('shows who did what, from where, with before and after and the request id', async () => {
    const { id, requestId } = await createApi({ upstream_token: 'a-secret' })
    await server.send('PUT', `/api/apis/${id}`, {
      token,
      body: httpApi({ gateway_status: 'disabled' }),
      remoteAddress: '192.0.2.7',
    })
    await server.send('DELETE', `/api/apis/${id}`, { token })
    const [deleted, updated, created] = await events('thing=api')
    expect(created).toMatchObject({
      action: 'api.create',
      actor: 'admin',
      outcome: 'done',
      thing_id: id,
      thing_name: 'Posts',
      before: null,
      after: { name: 'Posts', gateway_status: 'active' },
      request_id: requestId,
    })
    expect(updated).toMatchObject({
      action: 'api.update',
      address: '192.0.2.7',
      before: { gateway_status: 'active' },
      after: { gateway_status: 'disabled', has_upstream_token: true },
    })
    expect(deleted).toMatchObject({
      action: 'api.delete',
      before: { name: 'Posts' },
      after: null,
      can_restore: false,
    })
    expect(JSON.stringify(await events())).not.toContain('a-secret')
  })

  it('has every kind of change, sign-ins, sign-outs and refusals', async () => {
    const { id } = await createApi()
    const endpoint = (await server.send('POST', '/api/endpoint', { token, body: endpointOf(id) }))
      .body as { id: number }
    await server.send('PUT', `/api/endpoint/${endpoint.id}`, {
      token,
      body: endpointOf(id, { summery: 'Changed' }),
    })
    await server.send('PUT', `/api/context/${id}`, { token, body: { context: 'moved' } })
    const role = (
      await server.send('POST', '/api/role', { token, body: { name: 'R', permissions: [] } })
    ).body as { id: number }
    await server.send('PUT', `/api/api-permission/${role.id}/update`, {
      token,
      body: { endpoints: [endpoint.id] },
    })
    await server.send('DELETE', `/api/endpoint/${endpoint.id}`, { token })
    await server.send('DELETE', `/api/role/${role.id}`, { token })
    const made = (await server.send('POST', '/admin/token/store', { token, body: {} })).body as {
      access_token: { id: number; token: string }
    }
    await server.send('DELETE', `/api/token/${made.access_token.id}`, { token })
    await server.send('POST', '/api/login', {
      body: { email: 'admin@example.com', password: 'wrong' },
    })
    const auditor = await server.buildUser({ role: 'Auditor' })
    await server.send('POST', '/api/apis', { token: auditor.token, body: {} })
    await server.send('POST', '/api/logout', { token: auditor.token })
    const actions = (await events()).map(({ action }) => action)
    expect(new Set(actions)).toEqual(
      new Set([
        'api.create',
        'endpoint.create',
        'endpoint.update',
        'context.update',
        'role.create',
        'access.update',
        'endpoint.delete',
        'role.delete',
        'token.create',
        'token.revoke',
        'session.refused',
        'session.login',
        'call.refused',
        'session.logout',
      ]),
    )
    expect((await events('action=call.refused'))[0]).toMatchObject({
      thing_name: 'POST /api/apis',
      outcome: 'refused',
      after: { reason: expect.stringContaining('api.create') },
    })
    const whole = JSON.stringify(await events())
    expect(whole).not.toContain(made.access_token.token)
    expect(whole).not.toContain(testPassword)
  })

  it('is written with the change or not at all', async () => {
    await server.send('POST', '/api/apis', { token, body: {} })
    const { id } = await createApi()
    await server.send('PUT', `/api/apis/${id}`, { token, body: httpApi({ version: 999 }) })
    expect((await events('thing=api')).map(({ action }) => action)).toEqual(['api.create'])
  })

  it('can’t be changed or deleted, not even by us', async () => {
    await createApi()
    await expect(
      server.db.updateTable('audit_event').set({ actor: 'nobody' }).execute(),
    ).rejects.toThrow('append-only')
    await expect(server.db.deleteFrom('audit_event').execute()).rejects.toThrow('append-only')
  })

  it('is filtered by actor, action, thing, outcome and date, and searched', async () => {
    const { id } = await createApi({ name: 'Findable' })
    await createApi({ name: 'Other' })
    expect(await events(`thing=api&thing_id=${id}`)).toHaveLength(1)
    expect((await events('search=findable')).map(({ thing_name }) => thing_name)).toEqual([
      'Findable',
    ])
    expect((await events('actor=ADMIN&action=api.')).length).toBe(2)
    expect(await events('outcome=refused')).toEqual([])
    expect(await events('from=2026-06-02')).toEqual([])
    expect(await events('to=2026-05-31')).toEqual([])
    expect((await events('from=2026-06-01&to=2026-06-01&thing=api')).length).toBe(2)
    expect((await server.send('GET', '/api/audit?from=yesterday', { token })).status).toBe(422)
  })

  it('is exported as CSV in which no cell is a formula', async () => {
    await createApi({ name: '=HYPERLINK("http://x")' })
    const answer = await server.send('GET', '/api/audit/export?thing=api', { token })
    const { csv, filename, is_complete } = answer.body as {
      csv: string
      filename: string
      is_complete: boolean
    }
    expect(filename).toBe('audit-2026-06-01.csv')
    expect(is_complete).toBe(true)
    expect(csv.split('\r\n')).toHaveLength(3)
    expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`)
  })
})

describe('an earlier version', () => {
  const restore = (id: number | undefined, as = token) =>
    server.send('POST', `/api/audit/${id}/restore`, { token: as })

  it('of an API comes back, with the stored secret, over whatever is there now', async () => {
    const { id } = await createApi({ upstream_token: 'a-secret' })
    const [first] = await events('thing=api')
    await server.send('PUT', `/api/apis/${id}`, {
      token,
      body: httpApi({ name: 'Renamed', gateway_status: 'disabled' }),
    })
    await server.send('PUT', `/api/context/${id}`, { token, body: { context: 'elsewhere' } })
    expect((await restore(first?.id)).status).toBe(200)
    const edit = await server.send('GET', `/api/apis/${id}/edit`, { token })
    const [{ submitted_data }] = edit.body as [{ submitted_data: string }]
    expect(JSON.parse(submitted_data)).toMatchObject({
      name: 'Posts',
      gateway_status: 'active',
      context: 'posts',
      has_upstream_token: true,
    })
    expect((await events('thing=api'))[0]?.action).toMatch(/update$/)
  })

  it('is compared with the record that is in force, before it comes back', async () => {
    const { id } = await createApi({ upstream_token: 'a-secret' })
    const [first] = await events('thing=api')
    const preview = (as = token) =>
      server.send('GET', `/api/audit/${first?.id}/restore`, { token: as })
    expect((await preview()).body).toMatchObject({ is_in_force: true })
    await server.send('PUT', `/api/apis/${id}`, { token, body: httpApi({ name: 'Renamed' }) })
    await server.send('PUT', `/api/context/${id}`, { token, body: { context: 'elsewhere' } })
    const { body } = await preview()
    const { current, restored } = body as Record<'current' | 'restored', Record<string, unknown>>
    const differing = Object.keys({ ...current, ...restored }).filter(
      (field) => JSON.stringify(current[field]) !== JSON.stringify(restored[field]),
    )
    expect(differing.toSorted()).toEqual(['context', 'name'])
    expect(current).toMatchObject({ name: 'Renamed', context: 'elsewhere' })
    expect(restored).toMatchObject({ name: 'Posts', context: 'posts' })
    expect(body).toMatchObject({ is_in_force: false })
    expect(JSON.stringify(body)).not.toContain('a-secret')
    const auditor = await server.buildUser({ role: 'Auditor' })
    expect((await preview(auditor.token)).status).toBe(403)
    expect((await restore(first?.id)).status).toBe(200)
    expect((await preview()).body).toMatchObject({ is_in_force: true })
    await server.send('DELETE', `/api/apis/${id}`, { token })
    expect((await preview()).status).toBe(404)
  })

  it('with another context needs the permission for contexts too', async () => {
    const { id } = await createApi()
    const [first] = await events('thing=api')
    await server.send('PUT', `/api/context/${id}`, { token, body: { context: 'elsewhere' } })
    const editor = await server.buildUser({ permissions: ['audit.view', 'api.view', 'api.edit'] })
    expect((await restore(first?.id, editor.token)).status).toBe(403)
  })

  it('of an endpoint and of a role comes back', async () => {
    const { id } = await createApi()
    const endpoint = (await server.send('POST', '/api/endpoint', { token, body: endpointOf(id) }))
      .body as { id: number }
    await server.send('PUT', `/api/endpoint/${endpoint.id}`, {
      token,
      body: endpointOf(id, { path: '/other', summery: 'Other' }),
    })
    const role = (
      await server.send('POST', '/api/role', {
        token,
        body: { name: 'R', permissions: ['api.view', 'api.edit'] },
      })
    ).body as { id: number }
    await server.send('PUT', `/api/role/${role.id}`, {
      token,
      body: { name: 'S', permissions: [] },
    })
    for (const action of ['endpoint.create', 'role.create']) {
      expect((await restore((await events(`action=${action}`))[0]?.id)).status).toBe(200)
    }
    const [back] = (await server.send('GET', `/api/endpoint/${endpoint.id}/edit`, { token }))
      .body as [{ path: string }]
    expect(back.path).toBe('/posts/{id}')
    expect((await server.send('GET', `/api/role/${role.id}/edit`, { token })).body).toMatchObject({
      role: { name: 'R' },
      rolePermissions: ['api.view', 'api.edit'],
    })
  })

  it('is refused without the edit permission, for what left none, and when it no longer fits', async () => {
    const { id } = await createApi()
    const [created] = await events('thing=api')
    const auditor = await server.buildUser({ role: 'Auditor' })
    expect((await restore(created?.id, auditor.token)).status).toBe(403)
    expect((await restore(999_999)).status).toBe(404)
    expect((await restore((await events('action=session.login'))[0]?.id)).status).toBe(409)
    await server.send('PUT', `/api/apis/${id}`, { token, body: httpApi({ name: 'Renamed' }) })
    await createApi({ name: 'Posts' })
    expect((await restore(created?.id)).status).toBe(422)
    await server.send('DELETE', `/api/apis/${id}`, { token })
    expect((await restore(created?.id)).status).toBe(404)
  })
})
