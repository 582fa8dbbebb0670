import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
let user: Awaited<ReturnType<TestServer['buildUser']>>
let role: number
const endpoints: number[] = []
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  const api = await server.send('POST', '/api/apis', { token, body: httpApi() })
  for (const path of ['/a', '/b', '/c']) {
    const body = endpointOf((api.body as { id: number }).id, {
      path,
      authentication: path === '/a' ? 1 : 0,
    })
    endpoints.push(
      ((await server.send('POST', '/api/endpoint', { token, body })).body as { id: number }).id,
    )
  }
  user = await server.buildUser({ permissions: ['request.view'] })
  role = (
    await server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', user.roleName)
      .executeTakeFirstOrThrow()
  ).id
})
afterAll(() => server.close())
beforeEach(() => server.db.deleteFrom('role_endpoint').execute())

const put = (chosen: unknown, id = role) =>
  server.send('PUT', `/api/api-permission/${id}/update`, { token, body: { endpoints: chosen } })
const form = async () =>
  (await server.send('GET', `/api/api-permission/${role}/edit`, { token })).body as {
    endpoints: { id: number }[]
    selected: { id: number; description: string }[]
  }

it('the form of a role comes page by page where a limit is given, and counts all that the role has', async () => {
  await put(endpoints)
  const page = async (query: string) => {
    const { body } = await server.send('GET', `/api/api-permission/${role}/edit?${query}`, {
      token,
    })
    const {
      endpoints: all,
      selected,
      selected_count,
    } = body as {
      endpoints: { id: number }[]
      selected: { id: number }[]
      selected_count: number
    }
    return [all.map(({ id }) => id), selected.map(({ id }) => id), selected_count]
  }
  expect(await page('limit=2')).toEqual([endpoints.slice(0, 2), endpoints.slice(0, 2), 3])
  expect(await page('limit=2&page=2')).toEqual([endpoints.slice(2), endpoints.slice(2), 3])
  const refused = await server.send('GET', `/api/api-permission/${role}/edit?limit=0`, { token })
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { errors: { limit: ['The limit must be a whole number from 1 to 1000.'] } },
  ])
  const explained = await server.send('GET', `/api/access/role/${role}/endpoints?limit=1&page=3`, {
    token,
  })
  expect(explained.body).toMatchObject({
    endpoints: [{ endpoint: { id: endpoints[2] }, allowed: true }],
    endpoints_count: 3,
  })
})

it('lists one row for each user and role', async () => {
  const answer = await server.send('GET', `/api/api-permission?search=${user.email}`, { token })
  expect(answer.body).toMatchObject([
    {
      total: 1,
      data: [
        { id: role, user_id: user.id, email: user.email, role: user.roleName, endpoints_count: 0 },
      ],
    },
  ])
})

it('sets the endpoints that a role may call, and says what opened and closed', async () => {
  const [a, b, c] = endpoints
  expect((await put([a, String(b)])).body).toMatchObject({
    opened: [{ id: a }, { id: b }],
    closed: [],
    users_count: 1,
  })
  expect((await form()).selected).toMatchObject([
    { id: a, description: 'Reads one post' },
    { id: b },
  ])
  expect((await form()).endpoints).toHaveLength(3)
  const preview = await server.send('POST', `/api/api-permission/${role}/preview`, {
    token,
    body: { endpoints: [b, c] },
  })
  expect(preview.body).toMatchObject({ opened: [{ id: c }], closed: [{ id: a }], users_count: 1 })
  expect((await form()).selected.map(({ id }) => id)).toEqual([a, b])
  expect((await put([b, c])).body).toMatchObject({ opened: [{ id: c }], closed: [{ id: a }] })
  expect((await put([])).body).toMatchObject({ closed: [{ id: b }, { id: c }] })
})

describe('a difference', () => {
  const save = (difference: object, of: Record<string, unknown> = {}) =>
    server.send('PUT', `/api/api-permission/${role}/update`, {
      token,
      body: { difference, ...of },
    })
  const held = async () => (await form()).selected.map(({ id }) => id)
  const apiOf = async (id: number) =>
    (await server.db.selectFrom('endpoint').select('api_id').where('id', '=', id).execute())[0]!
      .api_id

  it('adds and removes single endpoints, and leaves the others', async () => {
    const [a, b, c] = endpoints
    await put([a, b])
    const answer = await save({ add: [c], remove: [a] })
    expect(answer.body).toMatchObject({
      opened: [{ id: c }],
      closed: [{ id: a }],
      opened_count: 1,
      closed_count: 1,
    })
    expect(await held()).toEqual([b, c])
    // What is so already changes nothing.
    expect((await save({ add: [b], remove: [a] })).body).toMatchObject({ opened: [], closed: [] })
  })

  it('takes whole APIs, apart from endpoints that are named', async () => {
    const [a, b, c] = endpoints
    const api = await apiOf(a!)
    expect((await save({ add_apis: [api], remove: [b] })).status).toBe(200)
    const all = await held()
    expect(all).toContain(a)
    expect(all).not.toContain(b)
    expect((await save({ remove_apis: [api], add: [c] })).status).toBe(200)
    expect(await held()).toEqual([c])
  })

  it('is previewed as it is saved', async () => {
    const { body } = await server.send('POST', `/api/api-permission/${role}/preview`, {
      token,
      body: { difference: { add: [endpoints[0]] } },
    })
    expect(body).toMatchObject({ opened: [{ id: endpoints[0] }], opened_count: 1 })
    expect(await held()).toEqual([])
  })

  it('of an endpoint that does not exist is refused on its field', async () => {
    const { status, body } = await save({ add: [999_999] })
    expect(status).toBe(422)
    expect(Object.keys((body as { errors: object }).errors)).toEqual(['endpoints'])
  })

  it('over a change of another user is refused', async () => {
    const before = (await server.send('GET', `/api/api-permission/${role}/edit`, { token })).body
    const { version } = before as { version: number }
    expect((await save({ add: [endpoints[0]] }, { version })).status).toBe(200)
    expect((await save({ add: [endpoints[1]] }, { version })).status).toBe(409)
    expect(await held()).toEqual([endpoints[0]])
  })
})

describe('choices', () => {
  const choices = async (query: string) =>
    (await server.send('GET', `/api/api-permission/${role}/endpoints?${query}`, { token }))
      .body as {
      endpoints: { id: number; is_held: boolean; api_id: number }[]
      total: number
      apis: { id: number; name: string; endpoints_count: number; held_count: number }[]
    }

  it('say which endpoints the role has, of which API, and how many it has of each', async () => {
    const [a, b] = endpoints
    await put([a])
    const all = await choices('limit=2')
    expect(all.total).toBeGreaterThanOrEqual(3)
    expect(all.endpoints.map(({ id, is_held }) => [id, is_held])).toEqual([
      [a, true],
      [b, false],
    ])
    const own = all.apis.find(({ id }) => id === all.endpoints[0]?.api_id)
    expect(own).toMatchObject({ held_count: 1 })
    expect((await choices('search=reads+/b')).endpoints.map(({ id }) => id)).toEqual([b])
    expect(await choices('search=nothing+like+it')).toEqual({ endpoints: [], total: 0, apis: [] })
  })

  it('are those of one API where it is named', async () => {
    const [a, b, c] = endpoints
    const api_id = (await choices('limit=1')).endpoints[0]?.api_id
    const other = await server.send('POST', '/api/apis', { token, body: httpApi({ name: 'Far' }) })
    const { id: far } = other.body as { id: number }
    expect(await choices(`api_id=${far}`)).toEqual({ endpoints: [], total: 0, apis: [] })
    const own = await choices(`api_id=${api_id}&search=get&limit=100`)
    expect(own.endpoints.map(({ id }) => id)).toEqual(expect.arrayContaining([a, c]))
    expect(
      (await choices(`api_id=${api_id}&limit=1&page=2`)).endpoints.map(({ id }) => id),
    ).toEqual([b])
    expect(own.apis.map(({ id }) => id)).toEqual([api_id])
    const found = await choices(`api_id=${api_id}&search=reads+/b`)
    expect([found.total, found.endpoints.map(({ id }) => id)]).toEqual([1, [b]])
  })

  it('come by API, with how many of each the role has and the search finds', async () => {
    await put(endpoints.slice(0, 1))
    const apis = async (search = '') => {
      const path = `/api/api-permission/${role}/apis?search=${search}`
      const answer = await server.send('GET', path, { token })
      expect(answer.status, answer.text).toBe(200)
      return answer.body as { apis: Record<string, unknown>[]; endpoints_count: number }
    }
    const api_id = (await choices('limit=1')).endpoints[0]?.api_id
    const { total } = await choices('limit=1')
    const { total: own } = await choices(`api_id=${api_id}`)
    const all = await apis()
    expect(all.endpoints_count).toBe(total)
    const counted = { id: api_id, endpoints_count: own, held_count: 1 }
    expect(all.apis).toContainEqual({ ...counted, name: 'Posts', found_count: own })
    // Without endpoints there is nothing to give.
    expect(all.apis).not.toContainEqual(expect.objectContaining({ name: 'Far' }))
    expect((await apis('reads+/b')).apis).toEqual([{ ...counted, name: 'Posts', found_count: 1 }])
    expect(await apis('nothing+like+it')).toEqual({ apis: [], endpoints_count: total })
    expect((await server.send('GET', '/api/api-permission/999999/apis', { token })).status).toBe(
      404,
    )
  })

  it('replace the long lists of a form that asks for few', async () => {
    await put(endpoints)
    const { body } = await server.send('GET', `/api/api-permission/${role}/edit?endpoints=few`, {
      token,
    })
    expect(body).toMatchObject({ endpoints: [], selected_count: endpoints.length })
    expect((body as { selected: unknown[] }).selected).toHaveLength(endpoints.length)
  })
})

describe('a save over a change of another user', () => {
  const open = async () =>
    (await server.send('GET', `/api/api-permission/${role}/edit`, { token })).body as {
      version: number
      selected: { id: number }[]
    }
  const save = (chosen: unknown[], version?: unknown) =>
    server.send('PUT', `/api/api-permission/${role}/update`, {
      token,
      body: { endpoints: chosen, version },
    })
  const held = async () => (await open()).selected.map(({ id }) => id)

  it('is refused, and leaves theirs in force', async () => {
    const [a, b, c] = endpoints
    const { version } = await open()
    expect((await save([a], version)).status).toBe(200)
    const late = await save([b, c], version)
    expect(late).toMatchObject({ status: 409, body: { code: 'record.changed' } })
    expect(await held()).toEqual([a])
    expect((await save([b, c], (await open()).version)).status).toBe(200)
    expect(await held()).toEqual([b, c])
  })

  it('is refused where they are saved at once: one of them wins', async () => {
    const { version } = await open()
    const saves = await Promise.all(endpoints.map((id) => save([id], version)))
    expect(saves.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  it('without a version saves over any, as the other forms do', async () => {
    await save([endpoints[0]], (await open()).version)
    expect((await save([endpoints[1]])).status).toBe(200)
    expect(await held()).toEqual([endpoints[1]])
  })

  it('does not give access again that a moved endpoint has lost', async () => {
    const { version } = await open()
    expect((await save(endpoints, version)).status).toBe(200)
    const opened = await open()
    const other = await server.send('POST', '/api/apis', {
      token,
      body: httpApi({ name: 'Other' }),
    })
    const body = endpointOf((other.body as { id: number }).id, { path: '/b' })
    const moved = await server.send('PUT', `/api/endpoint/${endpoints[1]}`, { token, body })
    expect(moved.status, moved.text).toBe(200)
    expect(await save(endpoints, opened.version)).toMatchObject({
      status: 409,
      body: { code: 'record.changed' },
    })
    expect(await held()).toEqual([endpoints[0], endpoints[2]])
  })

  it('with a version that is no number is a 422', async () => {
    expect(await save([], 'x')).toMatchObject({
      status: 422,
      body: { errors: { version: [expect.any(String)] } },
    })
  })
})

it('bites on the next call', async () => {
  const options = async () =>
    ((await server.send('GET', '/api/buildRequest', { token: user.token })).body as [unknown[]])[0]
  expect(await options()).toHaveLength(0)
  await put(endpoints)
  expect(await options()).toHaveLength(3)
})

it('takes a role from a user, and nothing else', async () => {
  const other = await server.buildUser({ role: user.roleName })
  expect(
    (await server.send('DELETE', `/api/api-permission/${role}/${other.id}`, { token })).status,
  ).toBe(204)
  expect((await server.send('GET', '/api/auth', { token: other.token })).status).toBe(401)
  expect((await server.send('GET', '/api/auth', { token: user.token })).status).toBe(200)
  expect(
    (await server.send('DELETE', `/api/api-permission/${role}/${other.id}`, { token })).status,
  ).toBe(404)
})

it.each([[[999_999]], [['x']], ['all'], [{ id: 1 }]])('refuses %j on the field', async (chosen) => {
  const answer = await put(chosen)
  expect(answer.status).toBe(422)
  expect(Object.keys((answer.body as { errors: object }).errors)[0]).toMatch(/^endpoints/)
})

it('answers 404 for what does not exist', async () => {
  expect((await put([], 999_999)).status).toBe(404)
  for (const path of [
    '/api/api-permission/999999/edit',
    '/api/api-permission/999999/endpoints',
    '/api/access/endpoint/999999',
    '/api/access/user/999999/endpoints',
    '/api/access/role/999999/endpoints',
    '/api/access/token/999999/endpoints',
    '/api/access/planet/1/endpoints',
  ]) {
    expect((await server.send('GET', path, { token })).status, path).toBe(404)
  }
})

describe('a refusal', () => {
  const ask = async (query: string, of: string) =>
    (await server.send('GET', `/api/access/refusal?${query}`, { token: of })).body as {
      roles: { name: string }[]
      granters: string[]
      has_more: boolean
    }

  it('names the own roles, and users who may give access or permissions', async () => {
    const editor = await server.buildUser({ permissions: ['api-permission.edit'] })
    const name = editor.email.split('@')[0]!
    const access = await ask('missing=access', user.token)
    expect(access.roles.map((each) => each.name)).toEqual([user.roleName])
    expect(access.granters).toEqual(['admin', name].toSorted())
    expect(access.has_more).toBe(false)
    expect((await ask('missing=permission', user.token)).granters).toEqual(['admin'])
  })

  it('names the roles behind a token only to those who may look at access', async () => {
    const made = await server.send('POST', '/admin/token/store', { token, body: { user: 4 } })
    const { id } = (made.body as { access_token: { id: number } }).access_token
    const query = `missing=access&token=${id}`
    expect((await ask(query, token)).roles.map(({ name }) => name)).toEqual(['API Consumer'])
    expect((await ask(query, user.token)).roles).toEqual([])
  })

  it('names five users at most', async () => {
    for (let count = 0; count < 6; count++) await server.buildUser({ permissions: ['role.edit'] })
    const { granters, has_more } = await ask('missing=permission', user.token)
    expect(granters).toHaveLength(5)
    expect(has_more).toBe(true)
  })
})

describe('the explanation', () => {
  const whoCanCall = async (id: number | undefined) =>
    (await server.send('GET', `/api/access/endpoint/${id}`, { token })).body as {
      is_guarded: boolean
      callers: {
        user: { id: number }
        allowed: boolean
        reason: string
        grants: { name: string }[]
      }[]
    }
  const whatCanBeCalled = async (subject: string, id: number) =>
    (await server.send('GET', `/api/access/${subject}/${id}/endpoints`, { token })).body as {
      endpoints: { endpoint: { id: number }; allowed: boolean; reason: string }[]
    }

  it('says who can call an endpoint, and through which role', async () => {
    await put([endpoints[0]])
    const { is_guarded, callers } = await whoCanCall(endpoints[0])
    expect(is_guarded).toBe(true)
    expect((await whoCanCall(endpoints[1])).is_guarded).toBe(false)
    const of = (id: number) => callers.find((caller) => caller.user.id === id)
    expect(of(user.id)).toMatchObject({
      allowed: true,
      grants: [{ name: user.roleName }],
      reason: `Granted by ${user.roleName}.`,
    })
    expect(of(server.admin.id)).toMatchObject({
      allowed: true,
      reason: 'Super Admin may call every endpoint.',
    })
    expect(of(4)).toMatchObject({ allowed: false, grants: [] })
  })

  it('says what a user, a role and a token can call; a revoked token nothing', async () => {
    await put([endpoints[0]])
    for (const [subject, id] of [
      ['user', user.id],
      ['role', role],
    ] as const) {
      const { endpoints: verdicts } = await whatCanBeCalled(subject, id)
      expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false, false])
    }
    const made = await server.send('POST', '/admin/token/store', { token, body: { user: user.id } })
    const { id } = (made.body as { access_token: { id: number } }).access_token
    expect((await whatCanBeCalled('token', id)).endpoints.map(({ allowed }) => allowed)).toEqual([
      true,
      false,
      false,
    ])
    await server.send('DELETE', `/api/token/${id}`, { token })
    expect((await whatCanBeCalled('token', id)).endpoints).toMatchObject([
      { allowed: false, reason: 'The token is revoked.' },
      {},
      {},
    ])
  })
})
