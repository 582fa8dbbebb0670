import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { IssuerRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

const gateway = recordingGateway()
let server: TestServer
let role: number
let baseUrl: string
/** What the issuer's address answers now. */
let served = { status: 200, body: '' }
let asked = 0
const authority = createServer((_, response) => {
  asked++
  response.writeHead(served.status).end(served.body)
})

beforeAll(async () => {
  authority.listen(0, '127.0.0.1')
  await once(authority, 'listening')
  baseUrl = `http://127.0.0.1:${(authority.address() as AddressInfo).port}`
  server = await buildServer({}, gateway.link)
  await server.publisher.publish()
  const made = await server.send('POST', '/api/role', {
    token: server.admin.token,
    body: { name: 'Clerks', permissions: [] },
  })
  role = idOf(made.body)
})
afterAll(async () => {
  await server.close()
  authority.close()
})
beforeEach(async () => {
  await server.db.deleteFrom('token_issuer').execute()
  served = { status: 200, body: jwks(jwk('one')) }
  asked = 0
})

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = (kid: string, more = {}) => ({ ...publicKey.export({ format: 'jwk' }), kid, ...more })
const jwks = (...keys: object[]) => JSON.stringify({ keys })
const pem = publicKey.export({ format: 'pem', type: 'spki' })

const idOf = (body: unknown) => (body as { id: number }).id
const definition = (more = {}) => ({
  name: 'Company login',
  is_active: true,
  issuer: 'https://login.example.com/',
  audience: 'gatehouse',
  jwks_url: `${baseUrl}/keys`,
  jwks: '',
  algorithms: ['ES256'],
  skew_seconds: '',
  role_claim: 'roles',
  roles: [{ value: 'clerk', role_id: role }],
  ...more,
})

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  server.send(method, `/api/token-issuers${path}`, { token: server.admin.token, body })
async function create(more = {}): Promise<IssuerRecord> {
  const answer = await send('POST', '', definition(more))
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { issuer: IssuerRecord }).issuer
}
const show = async (id: number) =>
  ((await send('GET', `/${id}`)).body as { issuer: IssuerRecord }).issuer
const published = () => gateway.published.at(-1)?.issuers
const pass = (ms: number) => (server.time.now = new Date(server.time.now.getTime() + ms))

describe('an issuer', () => {
  it('is created with the keys at its address, published, changed, listed and deleted', async () => {
    const made = await create()
    expect(made).toMatchObject({
      name: 'Company login',
      skew_seconds: 60,
      roles: [{ value: 'clerk', role_id: role, role: 'Clerks' }],
      keys: [{ kid: 'one', kind: 'P-256', algorithms: ['ES256'] }],
      keys_problem: null,
    })
    expect(published()).toMatchObject([
      { id: made.id, issuer: 'https://login.example.com/', keys: [{ kid: 'one' }] },
    ])
    const body = definition({ audience: 'other', version: made.version })
    expect((await send('PUT', `/${made.id}`, body)).body).toMatchObject({
      issuer: { audience: 'other', keys: [{ kid: 'one' }] },
    })
    expect(published()).toMatchObject([{ audience: 'other' }])
    expect((await send('GET', '?search=company')).body).toMatchObject([{ total: 1 }])
    expect((await send('DELETE', `/${made.id}`)).status).toBe(204)
    expect(published()).toEqual([])
    const events = await server.db
      .selectFrom('audit_event')
      .select(['action', 'before', 'after'])
      .where('thing', '=', 'issuer')
      .where('thing_id', '=', made.id)
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual([
      'issuer.create',
      'issuer.update',
      'issuer.delete',
    ])
    expect(JSON.parse(events[1]?.after ?? '')).toMatchObject({
      audience: 'other',
      roles: ['clerk: Clerks'],
    })
  })

  it('that is switched off is not published, and its keys are not fetched', async () => {
    const { id } = await create({ is_active: false })
    expect(published()).toEqual([])
    const before = asked
    pass(3_600_000)
    await server.unattended.issuerKeys.look()
    expect(asked).toBe(before)
    expect(await show(id)).toMatchObject({ is_active: false })
  })

  it('loses a role that is deleted', async () => {
    const body = { name: 'Passing', permissions: [] }
    const made = await server.send('POST', '/api/role', { token: server.admin.token, body })
    const passing = idOf(made.body)
    await create({ roles: [{ value: 'x', role_id: passing }] })
    await server.send('DELETE', `/api/role/${passing}`, { token: server.admin.token })
    expect(published()).toMatchObject([{ roles: [] }])
  })

  it('saved by two users at once is a 409 for the second', async () => {
    const { id, version } = await create()
    await send('PUT', `/${id}`, definition({ version }))
    expect((await send('PUT', `/${id}`, definition({ version }))).status).toBe(409)
  })

  it.each(['/999999', '/999999/keys'])('that does not exist is a 404: %s', async (path) => {
    expect((await send(path.endsWith('keys') ? 'POST' : 'GET', path)).status).toBe(404)
  })

  it.each([
    ['name', { name: '' }],
    ['issuer', { issuer: '' }],
    ['audience', { audience: '' }],
    ['jwks_url', { jwks_url: '' }],
    ['jwks_url', { jwks_url: 'ftp://127.0.0.1/keys' }],
    ['jwks_url', { jwks_url: 'http://login.example.com/keys' }],
    ['jwks_url', { jwks_url: 'https://user@login.example.com/keys' }],
    ['jwks', { jwks: 'both' }],
    ['jwks', { jwks_url: '', jwks: 'no keys' }],
    ['jwks', { jwks_url: '', jwks: '{"keys":[]}' }],
    ['jwks', { jwks_url: '', jwks: privateKey.export({ format: 'pem', type: 'pkcs8' }) }],
    ['jwks', { jwks_url: '', jwks: jwks(privateKey.export({ format: 'jwk' })) }],
    ['jwks', { jwks_url: '', jwks: jwks({ kty: 'oct', k: 'AAAA', alg: 'HS256' }) }],
    ['algorithms', { algorithms: [] }],
    ['algorithms.0', { algorithms: ['none'] }],
    ['algorithms.0', { algorithms: ['HS256'] }],
    ['skew_seconds', { skew_seconds: 301 }],
    ['role_claim', { role_claim: '' }],
    ['roles.0.value', { roles: [{ value: '', role_id: 1 }] }],
    ['roles.0.role_id', { roles: [{ value: 'x', role_id: 'x' }] }],
    ['roles', { roles: [{ value: 'x', role_id: 999_999 }] }],
    ['roles', { roles: [{ value: 'x', role_id: 1 }] }],
  ])('is refused on %s for %j', async (field, more) => {
    const answer = await send('POST', '', definition(more))
    expect(answer.status, answer.text).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
  })

  it.each([
    ['name', { issuer: 'https://other' }],
    ['issuer', { name: 'Other' }],
  ])('is refused on a %s that is taken', async (field, more) => {
    await create()
    const answer = await send('POST', '', definition(more))
    expect(answer.status, answer.text).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
  })

  it('gives no role beyond the reach of the user who saves it', async () => {
    const person = await server.buildUser({ permissions: ['token.view', 'token.create_any'] })
    const body = { name: 'Deleters', permissions: ['api.delete'] }
    const made = await server.send('POST', '/api/role', { token: server.admin.token, body })
    const deleters = idOf(made.body)
    const roles = [{ value: 'x', role_id: deleters }]
    const own = { token: person.token }
    const refused = await server.send('POST', '/api/token-issuers', {
      ...own,
      body: definition({ roles }),
    })
    expect(refused.status, refused.text).toBe(403)
    // Nor may such a user take over an issuer that gives one, by another address of its keys.
    const { id } = await create({ roles })
    const moved = definition({ jwks_url: `${baseUrl}/mine`, roles: [] })
    expect(
      (await server.send('PUT', `/api/token-issuers/${id}`, { ...own, body: moved })).status,
    ).toBe(403)
    const form = await server.send('GET', '/api/token-issuers/create', own)
    const offered = (form.body as { roles: { name: string }[] }).roles.map(({ name }) => name)
    expect(offered).not.toContain('Deleters')
    expect(offered).not.toContain('Super Admin')
    expect(offered).toContain('Clerks')
  })
})

describe('its keys', () => {
  it('may be typed in, as PEM too', async () => {
    expect((await create({ jwks_url: '', jwks: pem })).keys).toEqual([
      { kid: null, kind: 'P-256', algorithms: ['ES256'] },
    ])
    expect(asked).toBe(0)
  })

  it('of other uses and kinds are left out', async () => {
    served.body = jwks(
      jwk('one', { use: 'sig', alg: 'ES256' }),
      jwk('encrypts', { use: 'enc' }),
      jwk('signs', { key_ops: ['sign'] }),
      jwk('other', { alg: 'RS256' }),
      { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
      { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'short' },
      { kty: 'EC', crv: 'secp256k1', x: 'AA', y: 'AA', kid: 'curve' },
    )
    expect((await create()).keys.map(({ kid }) => kid)).toEqual(['one'])
  })

  it.each([
    ['an error', { status: 500, body: '' }, 'It answered 500.'],
    ['a redirect', { status: 302, body: '' }, 'It answered 302.'],
    ['no JSON', { status: 200, body: '<html>' }, 'This is neither a JWK set nor PEM.'],
    ['no keys', { status: 200, body: '{"keys":[]}' }, 'There is no key'],
    ['a list', { status: 200, body: '{"keys":{}}' }, 'is a list'],
    ['too much', { status: 200, body: `"${'x'.repeat(600_000)}"` }, ''],
  ])('stay as they are where the address answers %s', async (_, answer, problem) => {
    const { id } = await create()
    served = answer
    const fetched = await send('POST', `/${id}/keys`)
    expect(fetched.status, fetched.text).toBe(200)
    const { issuer } = fetched.body as { issuer: IssuerRecord }
    expect(issuer.keys.map(({ kid }) => kid)).toEqual(['one'])
    expect(issuer.keys_problem).toContain(problem)
    expect(issuer.keys_problem).not.toBe('')
    expect(published()).toMatchObject([{ keys: [{ kid: 'one' }] }])
  })

  it('are never fetched from where the guard closes', async () => {
    const made = await create({ jwks_url: 'https://169.254.169.254/keys' })
    expect(made).toMatchObject({ keys: [] })
    expect(made.keys_problem).toBeTruthy()
    expect(asked).toBe(0)
  })

  it('of an address before are dropped, whatever the new one answers', async () => {
    const { id } = await create()
    served = { status: 404, body: '' }
    await send('PUT', `/${id}`, definition({ jwks_url: `${baseUrl}/other` }))
    expect(published()).toMatchObject([{ keys: [] }])
  })

  it('are fetched every five minutes, and published where they have changed', async () => {
    await create()
    const keeper = server.unattended.issuerKeys
    await keeper.look()
    expect(asked).toBe(1)
    served.body = jwks(jwk('two'))
    pass(5 * 60_000)
    await keeper.look()
    expect(asked).toBe(2)
    expect(published()).toMatchObject([{ keys: [{ kid: 'two' }] }])
    const count = gateway.published.length
    pass(5 * 60_000)
    await keeper.look()
    expect(asked).toBe(3)
    expect(gateway.published).toHaveLength(count)
  })

  it('are tried again a minute after a failure', async () => {
    served.status = 503
    await create()
    served.status = 200
    pass(59_999)
    await server.unattended.issuerKeys.look()
    expect(asked).toBe(1)
    pass(1)
    await server.unattended.issuerKeys.look()
    expect(published()).toMatchObject([{ keys: [{ kid: 'one' }] }])
  })

  it('are fetched once a minute at most where tokens name unknown ones', async () => {
    const { id } = await create()
    const keeper = server.unattended.issuerKeys
    pass(60_001)
    served.body = jwks(jwk('one'), jwk('two'))
    await keeper.hurry([id, 999_999])
    expect(published()).toMatchObject([{ keys: [{ kid: 'one' }, { kid: 'two' }] }])
    for (let times = 0; times < 5; times++) await keeper.hurry([id])
    pass(59_000)
    await keeper.hurry([id])
    expect(asked).toBe(2)
  })

  it('are fetched because a worker reports an unknown one', async () => {
    const { id } = await create()
    pass(120_000)
    served.body = jwks(jwk('two'))
    const revision = (await server.stores.revisions.get()).revision + 1
    gateway.report({ unknown_keys: [id] })
    await gateway.reaches(revision)
    expect(published()).toMatchObject([{ keys: [{ kid: 'two' }] }])
  })
})
