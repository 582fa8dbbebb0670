// Databases: SQLite.

import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { configSnapshot, type ShownCredential, type SubmittedApi } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

let gateway: ReturnType<typeof recordingGateway>
let server: TestServer
beforeEach(async () => {
  gateway = recordingGateway()
  server = await buildServer({}, gateway.link)
})
afterEach(() => server.close())

const call = (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
  server.send(method, url, { token: server.admin.token, body })
async function create(overrides: Record<string, unknown>): Promise<number> {
  const answer = await call('POST', '/api/apis', httpApi(overrides))
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const save = (id: number, overrides: Record<string, unknown> = {}) =>
  call('PUT', `/api/apis/${id}`, httpApi(overrides))
async function saved(id: number, overrides: Record<string, unknown> = {}): Promise<void> {
  const answer = await save(id, overrides)
  expect(answer.status, answer.text).toBe(200)
}
async function shown(id: number): Promise<SubmittedApi> {
  const { body } = await call('GET', `/api/apis/${id}/edit`)
  return JSON.parse((body as [{ submitted_data: string }])[0].submitted_data) as SubmittedApi
}
const errors = async (answer: ReturnType<typeof save>) => {
  const { status, body, text } = await answer
  expect(status, text).toBe(422)
  return (body as { errors: Record<string, string[]> }).errors
}
const row = (id: number) => server.stores.apis.find(id)
const published = (id: number) =>
  configSnapshot.parse(gateway.published.at(-1)).apis.find((api) => api.id === id)

const secret = 'marked-secret-4711'
const kinds: [kind: ShownCredential['kind'], sent: Record<string, unknown>, shown: object][] = [
  [
    'bearer',
    { token: secret, scheme: 'Zoho-oauthtoken' },
    { has_token: true, scheme: 'Zoho-oauthtoken' },
  ],
  ['basic', { username: 'tax', password: secret }, { username: 'tax', has_password: true }],
  [
    'headers',
    {
      headers: [
        { name: 'Client-Id', value: 'till' },
        { name: 'Secret-Key', value: secret },
      ],
    },
    {
      headers: [
        { name: 'Client-Id', has_value: true },
        { name: 'Secret-Key', has_value: true },
      ],
    },
  ],
  [
    'oauth2_client_credentials',
    { token_url: 'https://id.example.com/token', client_id: 'erp', client_secret: secret },
    { client_id: 'erp', has_client_secret: true, client_authentication: 'basic' },
  ],
  [
    'oauth2_refresh_token',
    { token_url: 'https://id.example.com/token', client_id: 'erp', refresh_token: secret },
    { has_refresh_token: true, has_client_secret: false },
  ],
  [
    'login_call',
    {
      url: 'https://id.example.com/login',
      body: JSON.stringify({ pass: secret }),
      token_path: 'token',
    },
    { url: 'https://id.example.com/login', has_body: true, token_path: 'token' },
  ],
]

describe.each(kinds)('a credential of the kind %s', (kind, sent, expected) => {
  const credential = { kind, ...sent }

  it('is shown without its secrets, which are nowhere in clear', async () => {
    const id = await create({ credential, test_credential: credential })
    const api = await shown(id)
    expect(api.credential).toMatchObject({ kind, ...expected })
    expect(api.test_credential).toMatchObject({ kind, ...expected })
    const audit = await server.db.selectFrom('audit_event').selectAll().execute()
    for (const place of [api, await row(id), audit, server.logLines]) {
      expect(JSON.stringify(place)).not.toContain(secret)
    }
  })

  it('stays where it is absent or its secrets are blank, and null forgets it', async () => {
    const id = await create({ credential })
    await saved(id)
    await saved(id, { credential: (await shown(id)).credential })
    expect((await shown(id)).credential).toMatchObject({ kind, ...expected })
    await saved(id, { credential: null })
    expect((await shown(id)).credential).toBeNull()
    expect(await row(id)).toMatchObject({ credential: null, upstream_token_encrypted: null })
  })

  it('is entered again when the base URL changes', async () => {
    const id = await create({ credential })
    const moved = { api_url: 'https://elsewhere.example.com' }
    expect(Object.keys(await errors(save(id, moved)))).toEqual(['credential'])
    const given = (await shown(id)).credential
    const again = await errors(save(id, { ...moved, credential: given }))
    expect(Object.keys(again).every((field) => field.startsWith('credential.'))).toBe(true)
    await saved(id, { ...moved, credential })
  })
})

describe('the secrets of a sign-in', () => {
  const oauth = { kind: 'oauth2_client_credentials', ...kinds[3]![1] }

  it('are entered again when the token URL changes', async () => {
    const id = await create({ credential: oauth })
    const elsewhere = { ...oauth, token_url: 'https://evil.example.com/token', client_secret: '' }
    expect(Object.keys(await errors(save(id, { credential: elsewhere })))).toEqual([
      'credential.client_secret',
    ])
  })

  it.each([
    ['trusts another authority', { ca: readPem('certificate') }],
    ['allows a legacy renegotiation', { legacy_renegotiation: true }],
  ])('are entered again when TLS %s', async (_, tls) => {
    const id = await create({ credential: oauth })
    expect(Object.keys(await errors(save(id, { tls })))).toEqual(['credential'])
    await saved(id, { tls, credential: oauth })
  })

  it('of the base URL go to the test base URL only if they were entered for it', async () => {
    const test_api_url = 'https://test.example.com'
    const id = await create({ credential: oauth, test_credential: oauth, test_api_url })
    await saved(id, { test_api_url })
    expect(Object.keys(await errors(save(id, { test_api_url, test_credential: null })))).toEqual([
      'credential',
    ])
    const moved = await errors(save(id, { test_api_url: 'https://other.example.com' }))
    expect(Object.keys(moved)).toEqual(['test_credential'])
  })

  it('never go to an address that is refused', async () => {
    const blocked = { ...oauth, token_url: 'http://169.254.169.254/token' }
    const answer = await errors(call('POST', '/api/apis', httpApi({ credential: blocked })))
    expect(Object.keys(answer)).toEqual(['credential.token_url'])
  })

  it('hold a private key only if it can sign with the algorithm', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const pemOfNoKey = '-----BEGIN PRIVATE KEY-----\nbm8=\n-----END PRIVATE KEY-----'
    const signing = { ...oauth, client_authentication: 'private_key_jwt', private_key }
    const fitting = { ...signing, algorithm: 'PS256' }
    const id = await create({ credential: fitting, test_credential: fitting })
    for (const wrong of [{ algorithm: 'ES256' }, { algorithm: 'PS256', private_key: pemOfNoKey }]) {
      const unfit = { ...signing, ...wrong }
      expect(await errors(save(id, { credential: unfit, test_credential: unfit }))).toEqual({
        'credential.private_key': [`The private key can’t sign with ${wrong.algorithm}.`],
        'test_credential.private_key': [`The private key can’t sign with ${wrong.algorithm}.`],
      })
    }
    const kept = { ...signing, private_key: '', algorithm: 'ES256' }
    expect(Object.keys(await errors(save(id, { credential: kept })))).toEqual([
      'credential.private_key',
    ])
  })

  it('show in the audit trail that they have changed, and what they are never', async () => {
    const id = await create({ credential: oauth })
    await saved(id, { credential: { ...oauth, client_secret: 'another-secret' } })
    await saved(id, { credential: { ...oauth, client_secret: '', scope: 'invoices' } })
    const events = await server.db.selectFrom('audit_event').selectAll().orderBy('id').execute()
    const updates = events.filter(({ action }) => action === 'api.update')
    expect(updates.map((each) => each.after?.includes('"changed_secrets":["credential"]'))).toEqual(
      [true, false],
    )
    expect(JSON.stringify(events)).not.toContain('another-secret')
  })

  it('survive the restore of an earlier version', async () => {
    const id = await create({ credential: oauth })
    const sealed = (await row(id))?.upstream_token_encrypted
    await saved(id, { name: 'Renamed' })
    const before = await server.db
      .selectFrom('audit_event')
      .select('id')
      .where('action', '=', 'api.create')
      .executeTakeFirstOrThrow()
    const answer = await call('POST', `/api/audit/${before.id}/restore`)
    expect(answer.status, answer.text).toBeLessThan(300)
    const api = await shown(id)
    expect(api).toMatchObject({ name: 'Posts', credential: { has_client_secret: true } })
    expect((await row(id))?.upstream_token_encrypted).not.toBe(sealed)
  })
})

describe('the restore of a version that had no sign-in yet', () => {
  const createdEvent = async () =>
    server.db
      .selectFrom('audit_event')
      .select('id')
      .where('action', '=', 'api.create')
      .executeTakeFirstOrThrow()

  it('keeps the sign-ins and the client certificate that there are now', async () => {
    const id = await create({ tls: { ca: readPem('certificate') } })
    const { id: created } = await createdEvent()
    const given = {
      credential: { kind: 'oauth2_client_credentials', ...kinds[3]![1] },
      test_credential: { kind: 'basic', ...kinds[1]![1] },
      tls: { ...certificate(), ca: readPem('certificate') },
    }
    await saved(id, { ...given, name: 'Renamed' })
    const answer = await call('POST', `/api/audit/${created}/restore`)
    expect(answer.status, answer.text).toBe(200)
    expect(await shown(id)).toMatchObject({
      name: 'Posts',
      credential: { has_client_secret: true },
      test_credential: { has_password: true },
      tls: { has_client_key: true, client_certificate: certificate().client_certificate },
    })
    const again = await call('POST', `/api/audit/${created}/restore`)
    expect([again.status, (again.body as { code: string }).code]).toEqual([409, 'audit.in_force'])
  })
})

describe('an upstream token', () => {
  it('is a credential of the kind bearer', async () => {
    const id = await create({ upstream_token: secret })
    expect(await shown(id)).toMatchObject({
      has_upstream_token: true,
      credential: { kind: 'bearer', has_token: true, scheme: 'Bearer', refused_when: null },
    })
    expect(published(id)?.credential).toMatchObject({ kind: 'bearer', token: secret })
    await saved(id, { clear_upstream_token: true })
    expect(await shown(id)).toMatchObject({ has_upstream_token: false, credential: null })
  })

  it('is refused beside another sign-in', async () => {
    const credential = { kind: 'basic', ...kinds[1]![1] }
    const answer = await errors(
      call('POST', '/api/apis', httpApi({ upstream_token: 'x', credential })),
    )
    expect(Object.keys(answer)).toEqual(['upstream_token'])
  })
})

describe('what is published', () => {
  it('holds a static credential whole, and of the others no secret of the login', async () => {
    const basic = await create({ credential: { kind: 'basic', ...kinds[1]![1] } })
    expect(published(basic)?.credential).toMatchObject({ username: 'tax', password: secret })
    const oauth = await create({
      name: 'Other',
      credential: { kind: 'login_call', ...kinds[5]![1] },
    })
    expect(published(oauth)?.credential).toMatchObject({ kind: 'login_call', body: '' })
  })

  it('isolates an API whose sign-in can’t be opened', async () => {
    const credential = await create({ credential: { kind: 'basic', ...kinds[1]![1] } })
    const tls = await create({ name: 'Other', tls: certificate() })
    const broken = { upstream_token_encrypted: 'v1.broken' }
    await server.db.updateTable('api').set(broken).where('id', '=', credential).execute()
    await server.db
      .updateTable('api')
      .set({ tls_encrypted: 'v1.no' })
      .where('id', '=', tls)
      .execute()
    await create({ name: 'The change that is published' })
    expect([published(credential)?.fault, published(tls)?.fault]).toEqual(['credential', 'tls'])
    // What can't be opened is entered again.
    await saved(credential, { credential: { kind: 'basic', ...kinds[1]![1] } })
    expect(published(credential)?.fault).toBeNull()
  })
})

function readPem(part: 'certificate' | 'key', name = 'self-signed-localhost'): string {
  const folder = new URL('../../../../../packages/upstream/fixtures/', import.meta.url)
  const text = readFileSync(new URL(`${name}.pem`, folder), 'utf8')
  const label = part === 'certificate' ? 'CERTIFICATE' : '(?:[A-Z]+ )?PRIVATE KEY'
  const pem = new RegExp(`-----BEGIN ${label}-----[\\s\\S]+?-----END ${label}-----`).exec(text)
  return pem?.[0] ?? ''
}
const certificate = () => ({
  client_certificate: readPem('certificate'),
  client_key: readPem('key'),
})

describe('a client certificate', () => {
  it('is shown with its subject, issuer and expiry, and its key is kept', async () => {
    const id = await create({ tls: certificate() })
    const { tls } = await shown(id)
    expect(tls).toMatchObject({
      has_client_key: true,
      has_pfx: false,
      certificate: {
        subject: expect.stringContaining('localhost'),
        expires_at: '2120-01-01T00:00:00.000Z',
      },
    })
    expect(JSON.stringify(tls)).not.toContain('PRIVATE KEY')
    await saved(id, { tls })
    expect(published(id)?.tls?.client_key).toBe(readPem('key'))
    await saved(id, { tls: null })
    expect((await shown(id)).tls).toBeNull()
  })

  it('of a PFX file is forgotten by null, beside an authority that is kept', async () => {
    const folder = new URL('../../../../../packages/upstream/fixtures/', import.meta.url)
    const pfx = readFileSync(new URL('self-signed-localhost.pfx', folder), 'base64')
    const ca = readPem('certificate')
    const id = await create({ tls: { pfx, passphrase: 'secret', ca } })
    await saved(id, { tls: { ca } })
    expect((await shown(id)).tls).toMatchObject({ has_pfx: true, has_passphrase: true })
    await saved(id, { tls: { ca, pfx: null } })
    const gone = { has_pfx: false, has_passphrase: false, certificate: null, ca }
    expect((await shown(id)).tls).toMatchObject(gone)
    await saved(id, { tls: { pfx, passphrase: 'secret' } })
    await saved(id, { tls: { pfx: null } })
    expect((await shown(id)).tls).toBeNull()
  })

  it.each([
    ['client_key', { client_key: readPem('key', 'self-signed-elsewhere') }],
    ['client_key', { client_key: '' }],
    ['client_certificate', { client_certificate: 'nonsense' }],
  ])('is refused on %s', async (field, wrong) => {
    const tls = { ...certificate(), ...wrong }
    const answer = await errors(call('POST', '/api/apis', httpApi({ tls })))
    expect(Object.keys(answer)).toEqual([`tls.${field}`])
  })

  it('is refused once it has expired', async () => {
    server.time.now = new Date('2130-01-01T00:00:00Z')
    server.admin.token = await server.signIn(server.admin.email)
    const answer = await errors(call('POST', '/api/apis', httpApi({ tls: certificate() })))
    expect(Object.keys(answer)).toEqual(['tls.client_certificate'])
  })
})

describe('static headers', () => {
  const version = [{ name: 'Accept-Version', value: 'V2' }]

  it('of an API and of an endpoint are kept, shown and published', async () => {
    const id = await create({ static_headers: version })
    const endpoint = endpointOf(id, { static_headers: [{ name: 'X-Request', value: '{uuid}' }] })
    const made = (await call('POST', '/api/endpoint', endpoint)).body as { id: number }
    await saved(id)
    const answer = await call('PUT', `/api/endpoint/${made.id}`, endpointOf(id))
    expect(answer.body).toMatchObject({ static_headers: [{ name: 'X-Request', value: '{uuid}' }] })
    expect((await shown(id)).static_headers).toEqual(version)
    expect(published(id)?.static_headers).toEqual(version)
    expect(configSnapshot.parse(gateway.published.at(-1)).endpoints[0]?.static_headers).toEqual([
      { name: 'X-Request', value: '{uuid}' },
    ])
    await saved(id, { static_headers: [] })
    expect((await shown(id)).static_headers).toEqual([])
  })

  it.each(['Connection', 'Content-Length', 'Host', 'Authorization', 'X-Request-Id', 'a b'])(
    'refuse %s',
    async (name) => {
      const static_headers = [{ name, value: 'x' }]
      const api = await errors(call('POST', '/api/apis', httpApi({ static_headers })))
      expect(Object.keys(api)).toEqual(['static_headers.0.name'])
      const id = await create({})
      const endpoint = await errors(
        call('POST', '/api/endpoint', endpointOf(id, { static_headers })),
      )
      expect(Object.keys(endpoint)).toEqual(['static_headers.0.name'])
    },
  )

  it('that can’t be read isolate their API', async () => {
    const id = await create({ static_headers: version })
    await server.db.updateTable('api').set({ static_headers: '{' }).where('id', '=', id).execute()
    await create({ name: 'The change that is published' })
    expect(published(id)?.fault).toBe('definition')
  })
})
