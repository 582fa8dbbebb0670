// Databases: SQLite.

import type { StoredCredential } from '@gatehouse/contract'
import { runTokenAuthority, type TokenAuthority } from '@gatehouse/upstream/token-authority'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import {
  clientCredentials,
  createSignInServer,
  insertApi,
  newKey,
  refreshCredential,
  type SignInServer,
} from '../../../test/servers/sign-in-server.ts'
import { SignInStatus } from './sign-in-status.ts'
import type { SignInPlace } from './sign-in-store.ts'

let authority: TokenAuthority
let server: TestServer
let signIn: SignInServer
let status: SignInStatus
let place: SignInPlace
let credential: StoredCredential | null
let recorded: object[]
let now: Date
const actor = {} as never

beforeAll(async () => {
  authority = await runTokenAuthority()
})
afterAll(() => authority.stop())
beforeEach(async () => {
  await authority.reset()
  server = await buildServer()
  place = { apiId: await insertApi(server.db), which: 'live' }
  credential = clientCredentials(authority.tokenUrl)
  now = new Date()
  recorded = []
  const shared = {
    key: newKey(),
    get credential() {
      return credential!
    },
  }
  signIn = createSignInServer(server.db, shared, { now: () => now })
  status = new SignInStatus({
    service: signIn.service,
    targetOf: async ({ apiId }) =>
      apiId === place.apiId
        ? { name: 'A', credential, tls: null, connectTimeoutMs: 1, answerTimeoutMs: 1 }
        : undefined,
    listTargets: async () => [{ ...place, name: 'A', credential, tls: null }],
    record: async (_actor, _place, _name, after) => recorded.push(after),
    clock: { now: () => now },
  })
})
afterEach(async () => {
  await signIn.close()
  await server.close()
})

describe('the state of a token', () => {
  it('is never, valid, expired and refused', async () => {
    const states = [await status.show(place)]
    await signIn.service.token(place)
    states.push(await status.show(place))
    now = new Date(now.getTime() + 3_601_000)
    states.push(await status.show(place))
    await authority.change({ mode: 'refuse' })
    await signIn.service.token(place).catch(() => {})
    states.push(await status.show(place))
    expect(states.map(({ state }) => state)).toEqual(['never', 'valid', 'expired', 'refused'])
    expect(states.at(1)).toMatchObject({
      kind: 'oauth2_client_credentials',
      obtained_at: expect.any(String),
      expires_at: expect.any(String),
      message: '',
    })
    expect(states.at(-1)?.message).toBe('The sign-in was refused: invalid_grant.')
  })

  it('knows when the refresh token ends, since when, and forgets it with the token', async () => {
    const laterBy = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000))
    const after = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()
    const answer = (fields: object) =>
      authority.change({ mode: 'raw', raw: JSON.stringify({ access_token: 'a', ...fields }) })
    const renewed = async () => {
      await signIn.service.signInNow(place)
      return (await status.show(place)).refresh_token
    }
    credential = refreshCredential(authority.tokenUrl)
    await answer({ refresh_token_expires_in: 8_640_000 })
    const since = now.toISOString()
    const expires_at = after(8_640_000)
    expect(await renewed()).toEqual({ since, expires_at })
    // The next answer names the same end, or none; it may come a moment later.
    laterBy(86_400)
    await answer({ refresh_token_expires_in: 8_640_000 - 86_400 + 2 })
    expect(await renewed()).toEqual({ since, expires_at: after(8_640_000 - 86_398) })
    await answer({})
    expect(await renewed()).toMatchObject({ since })
    // An end that has moved counts from now on.
    await answer({ refresh_token_expires_in: 8_640_000 })
    expect(await renewed()).toEqual({ since: now.toISOString(), expires_at: after(8_640_000) })
    // Another scope keeps the refresh token, and so its end.
    credential = { ...refreshCredential(authority.tokenUrl), scope: 'more' }
    await answer({})
    expect(await renewed()).toMatchObject({ since: now.toISOString() })
    // A new token of which nothing is said may have any end.
    await answer({ refresh_token: 'another-one' })
    expect(await renewed()).toBeNull()
    await answer({ refresh_token_expires_in: 60 })
    expect(await renewed()).not.toBeNull()
    credential = { ...refreshCredential(authority.tokenUrl), refresh_token: 'entered-again' }
    await answer({})
    expect(await renewed()).toBeNull()
  })

  it.each(['live', 'test'] as const)('is the same in the list of all APIs: %s', async (which) => {
    place = { ...place, which }
    const states = async () => {
      const { apiId } = place
      const one = { ...(await status.show(place)), api_id: apiId, api_name: 'A', which }
      const all = await status.list()
      expect(all).toEqual([one])
      return all.map(({ state }) => state)
    }
    const seen = [...(await states())]
    await signIn.service.token(place)
    seen.push(...(await states()))
    await authority.change({ mode: 'refuse' })
    await signIn.service.signInNow(place).catch(() => {})
    seen.push(...(await states()))
    credential = refreshCredential(authority.tokenUrl)
    seen.push(...(await states()))
    expect(seen).toEqual(['never', 'valid', 'refused', 'never'])
  })

  it('is never where the credential has changed since', async () => {
    await signIn.service.token(place)
    credential = refreshCredential(authority.tokenUrl)
    expect(await status.show(place)).toMatchObject({ state: 'never', obtained_at: null })
  })
})

describe('a test of the sign-in', () => {
  it('obtains a token and shows none', async () => {
    const result = await status.test(place, actor)
    expect(result).toMatchObject({ ok: true, scope: 'all', message: 'Signed in.' })
    const { token } = await signIn.service.token(place)
    expect(JSON.stringify([result, recorded])).not.toContain(token)
    expect(recorded).toEqual([{ kind: 'oauth2_client_credentials', ok: true }])
    expect(await authority.counts()).toMatchObject({ logins: 1 })
  })

  it('answers a refusal as 422 on the field to look at', async () => {
    credential = { ...clientCredentials(authority.tokenUrl), client_secret: 'wrong' }
    const message = 'The sign-in was refused: invalid_client.'
    await expect(status.test(place, actor)).rejects.toMatchObject({
      status: 422,
      details: { fields: { 'credential.client_secret': [message] } },
    })
    expect(recorded).toEqual([{ kind: 'oauth2_client_credentials', ok: false, message }])
  })

  it('answers what is no token as 502, on the field of the test credential', async () => {
    await authority.change({ mode: 'html' })
    await expect(status.test({ ...place, which: 'test' }, actor)).rejects.toMatchObject({
      code: 'upstream.sign_in',
      details: { fields: { 'test_credential.token_url': [expect.any(String)] } },
    })
  })

  it('is made six times a minute at most', async () => {
    for (let test = 1; test <= 6; test++) await status.test(place, actor)
    await expect(status.test(place, actor)).rejects.toMatchObject({ status: 429 })
    now = new Date(now.getTime() + 61_000)
    await expect(status.test(place, actor)).resolves.toMatchObject({ ok: true })
  })
})

describe('the calls', () => {
  const url = (id: number) => `/api/apis/${id}/sign-in`
  const none = { kind: null, obtained_at: null, expires_at: null }

  it('answer for an API without a sign-in, and for one with a static token', async () => {
    const { token } = server.admin
    const plain = await server.send('GET', url(place.apiId), { token })
    expect(plain).toMatchObject({ status: 200, body: { ...none, state: 'none' } })
    const body = {
      name: 'With token',
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: 'http://upstream.example.com',
      upstream_token: 'planted-token',
    }
    const created = await server.send('POST', '/api/apis', { token, body })
    const { id } = created.body as { id: number }
    const shown = await server.send('GET', url(id), { token })
    expect(shown.body).toMatchObject({ ...none, kind: 'bearer', state: 'static' })
    const tested = await server.send('POST', url(id), { token })
    expect(tested).toMatchObject({ status: 200, body: { ok: true, kind: 'bearer' } })
    expect(tested.text + shown.text).not.toContain('planted-token')
  })

  it('list the APIs with a sign-in by name, their test sign-ins too, and leave out what can’t be read', async () => {
    const { token } = server.admin
    const create = async (name: string, upstream_token?: string, test_token?: string) => {
      const test_credential = test_token && { kind: 'bearer', token: test_token }
      const api_url = 'http://upstream.example.com'
      const given = { name, api_protocol: 'http', gateway_status: 'active', api_url }
      const body = { ...given, api_access: 'internally', upstream_token, test_credential }
      const created = await server.send('POST', '/api/apis', { token, body })
      return (created.body as { id: number }).id
    }
    const zebra = await create('Zebra', 'planted-zebra', 'planted-test')
    const lost = await create('Lost', 'planted-lost')
    const ant = await create('Ant', 'planted-ant')
    await create('Without')
    const trial = await create('With a test sign-in alone', undefined, 'planted-trial')
    await server.db
      .updateTable('api')
      .set({ upstream_token_encrypted: 'unreadable' })
      .where('id', '=', lost)
      .execute()
    const listed = await server.send('GET', '/api/sign-ins', { token })
    const fixed = { ...none, kind: 'bearer', state: 'static', message: '', certificate: null }
    expect(listed).toMatchObject({
      status: 200,
      body: [
        { ...fixed, api_id: ant, api_name: 'Ant', which: 'live' },
        { ...fixed, api_id: trial, api_name: 'With a test sign-in alone', which: 'test' },
        { ...fixed, api_id: zebra, api_name: 'Zebra', which: 'live' },
        { ...fixed, api_id: zebra, api_name: 'Zebra', which: 'test' },
      ],
    })
    expect(listed.text).not.toContain('planted-')
    const reader = await server.buildUser({ permissions: ['endpoint.view'] })
    expect(await server.send('GET', '/api/sign-ins', reader)).toMatchObject({ status: 403 })
  })

  it('need api.view and api.edit', async () => {
    const viewer = await server.buildUser({ permissions: ['api.view'] })
    const as = { token: viewer.token }
    expect(await server.send('GET', url(place.apiId), as)).toMatchObject({ status: 200 })
    expect(await server.send('POST', url(place.apiId), as)).toMatchObject({ status: 403 })
    expect(await server.send('GET', url(999), as)).toMatchObject({ status: 404 })
    expect(await server.send('GET', `${url(1)}?which=other`, as)).toMatchObject({ status: 422 })
  })
})
