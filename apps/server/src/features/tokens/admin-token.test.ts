// Databases: SQLite.

import { gatewayClientId } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  httpApi,
  testPassword,
  type TestServer,
} from '../../../test/servers/build-server.ts'

let server: TestServer
let person: Awaited<ReturnType<TestServer['buildUser']>>
beforeEach(async () => {
  server = await buildServer()
  person = await server.buildUser({ permissions: ['api.view', 'api.create', 'user.edit'] })
})
afterEach(() => server.close())

const dayMs = 86_400_000

const make = (body: object = {}, token = person.token) =>
  server.send('POST', '/api/admin-tokens', {
    token,
    body: {
      name: 'CI',
      permissions: ['api.view'],
      expires_in_days: 30,
      current_password: testPassword,
      ...body,
    },
  })

async function made(body: object = {}, token = person.token) {
  const answer = await make(body, token)
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { admin_token: { id: number; token: string } }).admin_token
}

const listApis = (token: string) => server.send('GET', '/api/apis', { token })
const createApi = (token: string, name = 'Made') =>
  server.send('POST', '/api/apis', { token, body: httpApi({ name }) })

describe('a token for programs', () => {
  it('is shown once, stored as a hash, and listed without its text', async () => {
    const { token } = await made()
    expect(token).toMatch(/^gha_[\w-]{49}$/)
    const listed = await server.send('GET', '/api/admin-tokens', { token: person.token })
    expect(listed.body).toEqual({
      tokens: [
        {
          id: expect.any(Number),
          name: 'CI',
          ending: token.slice(-4),
          permissions: ['api.view'],
          created_at: '2026-06-01T08:00:00.000Z',
          expires_at: '2026-07-01T08:00:00.000Z',
          last_used_at: null,
          has_expired: false,
        },
      ],
    })
    const rows = JSON.stringify([
      await server.db.selectFrom('admin_token').selectAll().execute(),
      await server.db.selectFrom('audit_event').selectAll().execute(),
      server.logLines,
    ])
    expect(rows).not.toContain(token)
    const others = await server.send('GET', '/api/admin-tokens', { token: server.admin.token })
    expect(others.body).toEqual({ tokens: [] })
  })

  it('opens what it was given, and nothing else of its user', async () => {
    const { token } = await made()
    expect((await listApis(token)).status).toBe(200)
    expect(await createApi(token)).toMatchObject({
      status: 403,
      body: { code: 'permission.denied' },
    })
  })

  it.each([
    ['GET', '/api/auth'],
    ['GET', '/api/sessions'],
    ['DELETE', '/api/sessions'],
    ['POST', '/api/logout'],
    ['PUT', '/api/password'],
    ['GET', '/api/admin-tokens'],
    ['POST', '/api/admin-tokens'],
    ['DELETE', '/api/admin-tokens/1'],
    ['POST', '/api/second-factor'],
  ] as const)('does not act for the person: %s %s', async (method, path) => {
    const { token } = await made()
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    expect((await server.send(method, path, { token, body })).status).toBe(403)
    expect((await listApis(token)).status).toBe(200)
  })

  it('is named in the audit trail beside its user', async () => {
    const { id, token } = await made({ permissions: ['api.view', 'api.create'] })
    expect((await createApi(token)).status).toBe(201)
    const event = await server.db
      .selectFrom('audit_event')
      .select(['actor', 'actor_id'])
      .where('action', '=', 'api.create')
      .executeTakeFirstOrThrow()
    const { name } = (await server.stores.users.find(person.id))!
    expect(event).toEqual({ actor: `${name} (token CI)`, actor_id: person.id })
    const lines = server.logLines.filter((line) => line.includes(`"admin_token_id":${id}`))
    expect(lines, 'lines of requests').toHaveLength(1)
  })

  it('never opens more than its user holds today', async () => {
    const { token } = await made({ permissions: ['api.view', 'api.create'] })
    await server.stores.users.setRoles(person.id, [])
    expect((await listApis(token)).status).toBe(403)
    expect((await createApi(token)).status).toBe(403)
  })

  it('of a Super Admin is no Super Admin', async () => {
    const { token } = await made({ permissions: ['role.create', 'api.view'] }, server.admin.token)
    const role = (permissions: string[]) =>
      server.send('POST', '/api/role', { token, body: { name: 'Made by CI', permissions } })
    expect((await role(['user.edit'])).status).toBe(403)
    expect((await createApi(token)).status).toBe(403)
    expect((await role(['api.view'])).status).toBe(201)
  })

  it('makes and limits no personal tokens of its own user, nor of one who holds more', async () => {
    const permissions = ['token.create', 'token.create_any', 'token.view']
    const { token } = await made({ permissions }, server.admin.token)
    const store = (user: number | undefined, by = token) =>
      server.send('POST', '/admin/token/store', { token: by, body: { user, name: 'Till' } })
    const refused = {
      status: 403,
      body: {
        code: 'permission.denied',
        message: 'A token for programs makes, limits and tries no personal tokens of its own user.',
      },
    }
    expect(await store(undefined)).toMatchObject(refused)
    expect(await store(server.admin.id)).toMatchObject(refused)
    expect(await store(person.id)).toMatchObject({ status: 403 })
    expect((await store(gatewayClientId)).status).toBe(201)

    const own = (await store(undefined, server.admin.token)).body as {
      access_token: { id: number }
    }
    const { id } = own.access_token
    const body = { limits: {} }
    expect(await server.send('PUT', `/api/token/${id}/limits`, { token, body })).toMatchObject(
      refused,
    )
    const shown = await server.send('GET', `/api/token/${id}`, { token })
    expect(shown.body).toMatchObject({ can_change: false })
    const { users } = (await server.send('GET', '/api/token/create', { token })).body as {
      users: { id: number }[]
    }
    const ids = users.map((user) => user.id)
    expect(ids).toContain(gatewayClientId)
    expect(ids).not.toContain(server.admin.id)
  })

  it('ends at its time, when it is revoked, and with its user', async () => {
    const [expiring, revoked, orphaned] = [await made(), await made(), await made()]
    server.time.now = new Date(server.time.now.getTime() + 29 * dayMs)
    expect((await listApis(expiring.token)).status).toBe(200)
    const fresh = await server.signIn(person.email)
    const revoke = () => server.send('DELETE', `/api/admin-tokens/${revoked.id}`, { token: fresh })
    expect((await revoke()).status).toBe(204)
    expect((await listApis(revoked.token)).status).toBe(401)
    expect((await revoke()).status).toBe(404)
    server.time.now = new Date(server.time.now.getTime() + dayMs)
    expect((await listApis(expiring.token)).status).toBe(401)
    server.time.now = new Date(server.time.now.getTime() - dayMs)
    await server.stores.users.remove(person.id)
    expect((await listApis(orphaned.token)).status).toBe(401)
  })

  it('that is revoked while its call is under way changes nothing', async () => {
    const { id, token } = await made({ permissions: ['api.view', 'api.create'] })
    server.hooks.beforeHandler = async () => {
      server.hooks.beforeHandler = undefined
      await server.stores.adminTokens.revoke(id, person.id, server.time.now.toISOString())
    }
    expect((await createApi(token)).status).toBe(401)
    expect(await server.stores.apis.findByName('Made')).toBeUndefined()
  })

  it.each(['gha_', 'gha_wrong', `gha_${'a'.repeat(49)}`])('%s is none', async (token) => {
    expect((await listApis(token)).status).toBe(401)
  })
})

describe('making one', () => {
  it('takes no permission that its maker lacks, and is kept in the trail as an attempt', async () => {
    expect(await make({ permissions: ['api.view', 'api.delete'] })).toMatchObject({ status: 403 })
    expect(await make({ permissions: ['token.create_any'] })).toMatchObject({ status: 403 })
  })

  it('asks for the password: a session that somebody finds open is not enough', async () => {
    const guess = () => make({ current_password: 'a wrong guess' })
    expect(await guess()).toMatchObject({
      status: 422,
      body: { errors: { current_password: [expect.any(String)] } },
    })
    for (let more = 1; more < 10; more++) await guess()
    expect((await guess()).status).toBe(429)
  })

  it.each([
    ['name', { name: '' }],
    ['permissions', { permissions: [] }],
    ['permissions', { permissions: ['everything'] }],
    ['expires_in_days', { expires_in_days: 0 }],
    ['expires_in_days', { expires_in_days: 366 }],
    ['expires_in_days', { expires_in_days: 1.5 }],
  ])('is refused with a wrong %s', async (field, wrong) => {
    const answer = await make(wrong)
    expect(answer.status).toBe(422)
    const { errors } = answer.body as { errors: Record<string, unknown> }
    expect(Object.keys(errors)[0]?.split('.')[0]).toBe(field)
  })

  it('another user’s is not revoked, and not even shown to exist', async () => {
    const { id, token } = await made()
    const answer = await server.send('DELETE', `/api/admin-tokens/${id}`, {
      token: server.admin.token,
    })
    expect(answer).toMatchObject({ status: 404, body: { code: 'token.not_found' } })
    expect((await listApis(token)).status).toBe(200)
  })
})

describe('an administrator', () => {
  const revokeAll = (id: number, token: string) =>
    server.send('DELETE', `/api/user/${id}/admin-tokens`, { token })

  it('revokes all tokens of a user within their reach, and of no other', async () => {
    const tokens = [await made(), await made()]
    const theirs = await made({}, server.admin.token)
    const form = await server.send('GET', `/api/user/${person.id}/edit`, {
      token: server.admin.token,
    })
    expect(form.body).toMatchObject({ admin_tokens_count: 2 })
    expect((await revokeAll(server.admin.id, person.token)).status).toBe(403)
    expect((await revokeAll(999_999, server.admin.token)).status).toBe(404)
    expect((await revokeAll(person.id, server.admin.token)).status).toBe(204)
    for (const { token } of tokens) expect((await listApis(token)).status).toBe(401)
    expect((await listApis(theirs.token)).status).toBe(200)
    const events = await server.db
      .selectFrom('audit_event')
      .select('thing_id')
      .where('action', '=', 'admin_token.revoke_all')
      .execute()
    expect(events).toEqual([{ thing_id: person.id }])
  })
})
