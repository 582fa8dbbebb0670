import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  procedureApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('endpoint').execute()
  await server.db.deleteFrom('api').execute()
})

const create = (body: unknown) => server.send('POST', '/api/apis', { token, body })
const update = (id: number, body: unknown) => server.send('PUT', `/api/apis/${id}`, { token, body })
const created = async (body: unknown) => {
  const answer = await create(body)
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const load = async (id: number) => {
  const answer = await server.send('GET', `/api/apis/${id}/edit`, { token })
  const [record] = answer.body as [{ id: number; submitted_data: string }]
  return JSON.parse(record.submitted_data) as Record<string, unknown>
}
const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: Record<string, string[]> }).errors

describe('201 and 200', () => {
  it('registers an HTTP API and gives it back as submitted_data', async () => {
    const id = await created(
      httpApi({ name: 'Posts', authentication: true, auth_type: 'bearer_token' }),
    )
    expect(await load(id)).toMatchObject({
      name: 'Posts',
      api_protocol: 'http',
      authentication: true,
      auth_type: 'bearer_token',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: 'http://127.0.0.1:9',
      context: 'posts',
    })
  })

  it('says where clients reach it', async () => {
    const id = await created(httpApi({ name: 'Reached' }))
    const answer = await server.send('GET', `/api/apis/${id}/edit`, { token })
    expect(answer.body).toMatchObject([{ gateway_url: 'http://localhost:8080/reached' }])
  })

  it('registers a stored procedure API', async () => {
    const id = await created(procedureApi())
    expect(await load(id)).toMatchObject({
      driver: 'mysql',
      port: 3306,
      func_name: 'post_invoice',
      has_password: true,
      api_url: '',
    })
  })

  it.each([
    ['false', false],
    [false, false],
    [0, false],
    ['0', false],
    ['', false],
    [null, false],
    ['true', true],
    [1, true],
    ['1', true],
  ])('takes authentication %j as %j', async (authentication, expected) => {
    const id = await created(httpApi({ authentication, auth_type: 'bearer_token' }))
    expect(await load(id)).toMatchObject({
      authentication: expected,
      auth_type: expected ? 'bearer_token' : '',
    })
  })

  it('ignores fields of the other protocol and fields it does not know', async () => {
    const id = await created(
      httpApi({
        driver: '',
        host: 'db',
        port: '',
        password: 'x',
        is_admin: true,
        id: 77,
        context: 'stolen',
      }),
    )
    expect(await load(id)).toMatchObject({ host: '', has_password: false, context: 'posts' })
    expect(id).not.toBe(77)
  })

  it('gives every API its own context, made from its name', async () => {
    const names = [
      'Sales Orders',
      'sales orders!',
      'Fakturen für Öl',
      'فاتورة',
      'healthz',
      'API',
      'Dashboard',
    ]
    const contexts = []
    for (const name of names) contexts.push((await load(await created(httpApi({ name })))).context)
    expect(contexts).toEqual([
      'sales-orders',
      'sales-orders-2',
      'fakturen-fur-ol',
      'service',
      'healthz-2',
      'api-2',
      'dashboard-2',
    ])
  })

  it('changes an API, also under its own name', async () => {
    const id = await created(httpApi())
    const answer = await update(id, httpApi({ name: 'POSTS', gateway_status: 'disabled' }))
    expect(answer.status).toBe(200)
    expect(await load(id)).toMatchObject({
      name: 'POSTS',
      gateway_status: 'disabled',
      context: 'posts',
    })
  })

  it('lists pages in a total order, with search, sort and filters', async () => {
    for (let number = 1; number <= 12; number++) {
      await created(
        httpApi({
          name: `API ${number}`,
          api_url: `http://10.0.0.${number}/`,
          gateway_status: number % 2 ? 'active' : 'disabled',
        }),
      )
    }
    const list = async (query: string) => {
      const answer = await server.send('GET', `/api/apis?${query}`, { token })
      expect(answer.status).toBe(200)
      const [page] = answer.body as [
        { data: { id: number; submitted_data: string; endpoints_count: number }[]; total: number },
      ]
      return {
        ...page,
        names: page.data.map((row) => (JSON.parse(row.submitted_data) as { name: string }).name),
      }
    }
    expect(await list('')).toMatchObject({ per_page: 10, total: 12, current_page: 1, last_page: 2 })
    expect((await list('page=2&limit=10')).names).toEqual(['API 11', 'API 12'])
    expect(await list('page=3')).toMatchObject({ data: [], total: 12, current_page: 3 })
    expect((await list('sort=-name&limit=3')).names).toEqual(['API 9', 'API 8', 'API 7'])
    expect((await list('sort=gateway_status&limit=100')).names.slice(0, 2)).toEqual([
      'API 1',
      'API 3',
    ])
    expect((await list('search=0.0.12')).names).toEqual(['API 12'])
    // Each word is to be found, in whichever column.
    expect((await list('search=.0.12%20api')).names).toEqual(['API 12'])
    expect((await list('search=api%20%20.0.1%20API')).names).toEqual([
      'API 1',
      'API 10',
      'API 11',
      'API 12',
    ])
    expect((await list('search=api%20nowhere')).total).toBe(0)
    expect((await list("search=api%20'%20or%201=1")).total).toBe(0)
    expect((await list('search=%25')).total).toBe(0)
    expect((await list('search=_')).total).toBe(0)
    expect((await list('gateway_status=disabled')).total).toBe(6)
    for (const bad of [
      'page=0',
      'limit=0',
      'limit=101',
      'page=x',
      'sort=password',
      'gateway_status=gone',
    ]) {
      expect((await server.send('GET', `/api/apis?${bad}`, { token })).status, bad).toBe(422)
    }
  })

  it('deletes an API', async () => {
    const id = await created(httpApi())
    expect((await server.send('DELETE', `/api/apis/${id}`, { token })).status).toBe(204)
    expect((await server.send('GET', `/api/apis/${id}/edit`, { token })).status).toBe(404)
  })
})

describe('404', () => {
  it.each(['999999', '0', '-1', 'abc', '1.5', '99999999999999999999'])('for id %s', async (id) => {
    expect((await server.send('GET', `/api/apis/${id}/edit`, { token })).status).toBe(404)
    expect((await server.send('DELETE', `/api/apis/${id}`, { token })).status).toBe(404)
    expect((await server.send('PUT', `/api/apis/${id}`, { token, body: httpApi() })).status).toBe(
      404,
    )
  })
})

describe('409', () => {
  it('for an API that still has endpoints', async () => {
    const id = await created(httpApi())
    await server.send('POST', '/api/endpoint', { token, body: endpointOf(id) })
    const answer = await server.send('DELETE', `/api/apis/${id}`, { token })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      message: 'This API still has 1 endpoint. Delete them first.',
    })
    expect((await load(id)).name).toBe('Posts')
  })

  it('for a save over a change that another user has made', async () => {
    const id = await created(httpApi())
    const { version } = await load(id)
    expect((await update(id, httpApi({ name: 'First', version }))).status).toBe(200)
    expect((await update(id, httpApi({ name: 'Second', version }))).status).toBe(409)
    expect((await load(id)).name).toBe('First')
  })
})

describe('422', () => {
  it('names every field at once', async () => {
    const answer = await create({})
    expect(answer.status).toBe(422)
    expect(Object.keys(errorsOf(answer)).toSorted()).toEqual([
      'api_access',
      'api_protocol',
      'gateway_status',
      'name',
    ])
    expect(Object.keys(errorsOf(await create({ api_protocol: 'http' }))).toSorted()).toEqual([
      'api_access',
      'api_url',
      'gateway_status',
      'name',
    ])
    expect(
      Object.keys(
        errorsOf(await create({ api_protocol: 'stored_procedure', port: 'x', authentication: 1 })),
      ).toSorted(),
    ).toEqual([
      'api_access',
      'auth_type',
      'database',
      'driver',
      'func_name',
      'gateway_status',
      'host',
      'name',
      'password',
      'port',
      'username',
    ])
    expect((await create(undefined)).status).toBe(422)
    expect((await create([])).status).toBe(422)
  })

  it.each([
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\u0000b' }],
    ['name', { name: { $ne: '' } }],
    ['api_protocol', { api_protocol: 'soap' }],
    ['authentication', { authentication: 'maybe' }],
    ['auth_type', { authentication: true, auth_type: 'basic' }],
    ['auth_type', { authentication: true, auth_type: '' }],
    ['gateway_status', { gateway_status: 'asleep' }],
    ['api_access', { api_access: 'everywhere' }],
    ['api_url', { api_url: '' }],
    ['api_url', { api_url: 'not a url' }],
    ['api_url', { api_url: 'ftp://files.example.com' }],
    ['api_url', { api_url: 'file:///etc/passwd' }],
    ['api_url', { api_url: 'http://user:pass@example.com' }],
    ['api_url', { api_url: 'http://example.com/?a=1' }],
    ['api_url', { api_url: 'http://example.com/#top' }],
    ['api_url', { api_url: 'http:/example.com' }],
    ['api_url', { api_url: `http://example.com/${'x'.repeat(2048)}` }],
    ['api_url', { api_url: 'http://169.254.169.254/latest' }],
    ['api_url', { api_url: 'http://0xa9fea9fe/' }],
    ['api_url', { api_url: 'http://[fd00:ec2::254]/' }],
    ['test_api_url', { test_api_url: 'http://169.254.169.254/' }],
    ['test_api_url', { test_api_url: 'nonsense' }],
    ['upstream_token', { upstream_token: 'two words' }],
    ['upstream_token', { upstream_token: 'line\r\nbreak' }],
    ['connect_timeout_ms', { connect_timeout_ms: 5 }],
    ['answer_timeout_ms', { answer_timeout_ms: 'soon' }],
    ['name', { name: 'Posts' }],
    ['name', { name: 'posts ' }],
  ])('on %s for %j', async (field, overrides) => {
    await created(httpApi())
    const answer = await create(httpApi({ name: 'Another', ...overrides }))
    expect(answer.status, answer.text).toBe(422)
    expect(answer.body).toMatchObject({ message: 'Validation errors occurred!' })
    expect(Object.keys(errorsOf(answer))).toEqual([field])
    expect(errorsOf(answer)[field]?.[0]).toMatch(/[A-Z].*\.$/)
  })

  it.each([
    ['driver', { driver: 'oracle' }],
    ['driver', { driver: '' }],
    ['host', { host: '' }],
    ['host', { host: 'db/../x' }],
    ['port', { port: 0 }],
    ['port', { port: 65536 }],
    ['port', { port: '33o6' }],
    ['database', { database: '' }],
    ['username', { username: '' }],
    ['password', { password: '' }],
    ['func_name', { func_name: '' }],
  ])('on %s for %j of a stored procedure', async (field, overrides) => {
    const answer = await create(procedureApi(overrides))
    expect(answer.status).toBe(422)
    expect(Object.keys(errorsOf(answer))).toEqual([field])
  })

  it('for the second of two saves at once under one name', async () => {
    const answers = await Promise.all([create(httpApi()), create(httpApi())])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
  })
})

describe('secrets', () => {
  it('are encrypted at rest and never sent back', async () => {
    const secret = 'upstream-secret-0123456789'
    const ids = [
      await created(httpApi({ upstream_token: secret })),
      await created(procedureApi({ password: secret })),
    ]
    const rows = JSON.stringify(await server.db.selectFrom('api').selectAll().execute())
    expect(rows).not.toContain(secret)
    expect(rows).not.toContain(Buffer.from(secret).toString('base64'))
    const answers = [
      await server.send('GET', '/api/apis', { token }),
      ...(await Promise.all(
        ids.map((id) => server.send('GET', `/api/apis/${id}/edit`, { token })),
      )),
    ]
    for (const { text } of answers) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain('encrypted')
    }
    expect(server.logLines.join('')).not.toContain(secret)
  })

  it('are kept by a save that leaves them blank, and cleared on request', async () => {
    const id = await created(httpApi({ upstream_token: 'secret' }))
    await update(id, httpApi({ gateway_status: 'disabled' }))
    expect(await load(id)).toMatchObject({ has_upstream_token: true })
    await update(id, httpApi({ clear_upstream_token: true }))
    expect(await load(id)).toMatchObject({ has_upstream_token: false })
  })

  it.each([
    { api_url: 'http://192.168.0.9' },
    { api_url: 'http://127.0.0.1:10' },
    { api_url: 'https://127.0.0.1:9' },
    { test_api_url: 'http://192.168.0.9' },
  ])('are asked for again when an HTTP API moves: %j', async (move) => {
    const id = await created(httpApi({ upstream_token: 'secret' }))
    const answer = await update(id, httpApi(move))
    expect(Object.keys(errorsOf(answer))).toEqual(['upstream_token'])
    expect((await update(id, httpApi({ ...move, upstream_token: 'again' }))).status).toBe(200)
  })

  it.each([{ host: 'evil.example.com' }, { port: 3307 }, { driver: 'sqlsrv' }])(
    'are asked for again when a database moves: %j',
    async (move) => {
      const id = await created(procedureApi())
      const answer = await update(id, procedureApi({ password: '', ...move }))
      expect(Object.keys(errorsOf(answer))).toEqual(['password'])
      expect((await update(id, procedureApi(move))).status).toBe(200)
    },
  )

  it('do not survive a change of the protocol', async () => {
    const id = await created(httpApi({ upstream_token: 'secret' }))
    expect((await update(id, procedureApi({ password: '' }))).status).toBe(422)
    expect((await update(id, procedureApi())).status).toBe(200)
    expect(await load(id)).toMatchObject({ has_upstream_token: false, has_password: true })
  })
})
