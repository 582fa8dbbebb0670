import { generateKeyPairSync } from 'node:crypto'
import type {
  ClientCredentials,
  LoginCallCredential,
  RefreshTokenCredential,
  TokenCredential,
} from '@gatehouse/contract/credential'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestUpstream } from '../testing/test-upstream.ts'
import {
  firstRefreshToken,
  runTokenAuthority,
  type AuthoritySettings,
  type TokenAuthority,
} from '../testing/token-authority/run-token-authority.ts'
import { obtainToken } from './obtain-token.ts'
import { maxSignInAnswerBytes } from './read-sign-in-answer.ts'
import type { ObtainedToken, SignInProblem } from './sign-in-outcome.ts'
import { lifetimeMs, renewAt } from './token-lifetime.ts'

let authority: TokenAuthority
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
/** Every character that an encoding could get wrong. */
const clientId = 'c:l i/e-n.t_1'
const clientSecret = 'p+ä&=%:secret'
const normal: Partial<AuthoritySettings> = {
  mode: 'issue',
  status: 200,
  retryAfter: '',
  expiresIn: 3600,
  rotates: false,
  clientId,
  clientSecret,
  publicKey: keys.publicKey.export({ type: 'spki', format: 'pem' }),
}

beforeAll(async () => {
  authority = await runTokenAuthority()
})
afterAll(() => authority.stop())
beforeEach(() => authority.change(normal))

const now = new Date()
const secondsFromNow = (seconds: number) => new Date(now.getTime() + seconds * 1_000)

function signIn(credential: TokenCredential, answerTimeoutMs = 20_000) {
  const upstream = createTestUpstream()
  const call: Parameters<typeof obtainToken>[1] = (request) =>
    upstream.send({ ...request, answerTimeoutMs, maxAnswerBytes: maxSignInAnswerBytes })
  return obtainToken(credential, call, now)
}

async function obtained(credential: TokenCredential): Promise<ObtainedToken> {
  const outcome = await signIn(credential)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problem))
  return outcome.obtained
}

async function problem(credential: TokenCredential, timeoutMs?: number): Promise<SignInProblem> {
  const outcome = await signIn(credential, timeoutMs)
  if (outcome.ok) throw new Error('expected a problem, got a token')
  expect(JSON.stringify(outcome)).not.toContain('planted')
  return outcome.problem
}

const endpoint = () => ({
  token_url: authority.tokenUrl,
  client_id: clientId,
  client_secret: clientSecret,
  scope: '',
  audience: '',
  body_fields: [],
  login_headers: [],
  scheme: 'Bearer',
  refused_when: null,
})

const client = (more: Partial<ClientCredentials> = {}): ClientCredentials => ({
  ...endpoint(),
  kind: 'oauth2_client_credentials',
  client_authentication: 'basic',
  private_key: '',
  key_id: '',
  algorithm: 'RS256',
  ...more,
})

const refreshing = (more: Partial<RefreshTokenCredential> = {}): RefreshTokenCredential => ({
  ...endpoint(),
  kind: 'oauth2_refresh_token',
  client_authentication: 'body',
  refresh_token: firstRefreshToken,
  ...more,
})

const login = (more: Partial<LoginCallCredential> = {}): LoginCallCredential => ({
  kind: 'login_call',
  url: authority.loginUrl,
  method: 'POST',
  headers: [],
  body: '{"user":"u","password":"login-password-of-test"}',
  content_type: 'application/json',
  token_path: 'data.token',
  expires_path: '',
  lifetime_seconds: null,
  send_as: [{ name: 'Authorization', value: 'Bearer {token}' }],
  refused_when: null,
  ...more,
})

describe('a token is obtained', () => {
  test.each(['basic', 'body'] as const)('by client credentials, shown by %s', async (by) => {
    const got = await obtained(client({ client_authentication: by, scope: 'InvoicingAPI' }))
    expect(got).toEqual({
      token: expect.stringMatching(/^token-/),
      expiresAt: secondsFromNow(3600),
      isLifetimeAssumed: false,
      scope: 'InvoicingAPI',
    })
  })

  test.each(['RS256', 'PS256', 'PS512'] as const)('by an assertion with %s', async (algorithm) => {
    const by = {
      client_authentication: 'private_key_jwt',
      private_key: privateKey,
      algorithm,
    } as const
    await expect(obtained(client({ ...by, client_secret: '' }))).resolves.toBeDefined()
  })

  test('by a refresh token, and the new one is handed over when it is rotated', async () => {
    expect(await obtained(refreshing())).not.toHaveProperty('refreshToken')
    await authority.change({ rotates: true })
    const { refreshToken } = await obtained(refreshing())
    expect(refreshToken).toMatch(/^refresh-token-/)
    const used = await problem(refreshing())
    expect(used).toMatchObject({ kind: 'refused', field: 'refresh_token' })
    const again = await obtained(refreshing({ refresh_token: refreshToken ?? '' }))
    expect(again.refreshToken).not.toBe(refreshToken)
  })

  test.each<[string, string, Date | undefined]>([
    ['in seconds', '"refresh_token_expires_in":8640000', secondsFromNow(8_640_000)],
    ['in seconds, as text', '"refresh_expires_in":"1800"', secondsFromNow(1800)],
    ['under the name of Intuit', '"x_refresh_token_expires_in":90', secondsFromNow(90)],
    ['of more than ten years', '"refresh_expires_in":9e8', secondsFromNow(315_360_000)],
    ['0: it has no end', '"refresh_expires_in":0', undefined],
    ['that is nonsense', '"refresh_token_expires_in":{"planted":1}', undefined],
    ['not at all', '"x":1', undefined],
  ])('by a refresh token, with its end as the answer says it: %s', async (_, field, end) => {
    const raw = `{"access_token":"a",${field}}`
    await authority.change({ mode: 'raw', raw })
    expect((await obtained(refreshing())).refreshExpiresAt).toEqual(end)
    // What comes beside another grant is not used, so its end is nothing to report.
    expect(await obtained(client())).not.toHaveProperty('refreshExpiresAt')
  })

  test('by a login with JSON or a form, for as long as answer or settings say', async () => {
    expect(await obtained(login())).toMatchObject({
      isLifetimeAssumed: true,
      expiresAt: secondsFromNow(300),
    })
    const form = {
      content_type: 'application/x-www-form-urlencoded',
      body: 'p=login-password-of-test',
    }
    const given = await obtained(login({ ...form, lifetime_seconds: 50 }))
    expect(given).toMatchObject({ isLifetimeAssumed: false, expiresAt: secondsFromNow(50) })
    await authority.change({ expiresIn: secondsFromNow(90).toISOString() })
    const said = await obtained(login({ expires_path: 'data.expires', lifetime_seconds: 50 }))
    expect(said.expiresAt).toEqual(secondsFromNow(90))
  })
})

test('the answer of a login may be XML', async () => {
  await authority.change({ mode: 'raw', raw: '<r><token>t1</token><ttl>90</ttl></r>' })
  const got = await obtained(login({ token_path: 'r.token', expires_path: 'r.ttl' }))
  expect(got).toMatchObject({ token: 't1', expiresAt: secondsFromNow(90) })
})

describe('a sign-in that fails names what was missing, on the field to look at', () => {
  test.each<[string, () => TokenCredential, Partial<AuthoritySettings>, Partial<SignInProblem>]>([
    [
      'a wrong client secret',
      () => client({ client_secret: 'x' }),
      {},
      {
        kind: 'refused',
        field: 'client_secret',
        message: 'The sign-in was refused: invalid_client.',
      },
    ],
    [
      'a wrong key',
      () => client({ client_authentication: 'private_key_jwt', private_key: 'x' }),
      {},
      { kind: 'refused', field: 'private_key', message: 'The private key can’t sign with RS256.' },
    ],
    [
      'a key of another kind',
      () =>
        client({
          client_authentication: 'private_key_jwt',
          private_key: privateKey,
          algorithm: 'ES256',
        }),
      {},
      { kind: 'refused', field: 'private_key' },
    ],
    [
      'a refused login',
      () => login({ body: '{}' }),
      {},
      { kind: 'refused', field: 'body', message: 'The login was refused with status 401.' },
    ],
    [
      'an error with status 200',
      client,
      { mode: 'error_inside' },
      { kind: 'unusable', message: 'The address gave no token: the answer holds an error.' },
    ],
    [
      'an error with status 200 at a login',
      login,
      { mode: 'error_inside' },
      {
        kind: 'unusable',
        field: 'token_path',
        message: 'The answer to the login has no token at data.token.',
      },
    ],
    [
      'a web page',
      client,
      { mode: 'html' },
      { kind: 'unusable', field: 'token_url', message: 'The answer to the sign-in is a web page.' },
    ],
    [
      'a redirect',
      login,
      { mode: 'redirect' },
      {
        kind: 'unusable',
        field: 'url',
        message: 'The address answers with a redirect. Redirects are not followed.',
      },
    ],
    [
      'an endless answer',
      client,
      { mode: 'huge' },
      {
        kind: 'unusable',
        message: 'The answer is larger than an answer to a sign-in may be (1 MiB).',
      },
    ],
    [
      'a lost answer',
      client,
      { mode: 'drop' },
      { kind: 'unavailable', message: 'The connection broke before the answer was complete.' },
    ],
    [
      'no token',
      client,
      { mode: 'raw', raw: '{"planted":1}' },
      { kind: 'unusable', message: 'The answer to the sign-in has no access_token.' },
    ],
    [
      'a token with a line break',
      client,
      { mode: 'raw', raw: '{"access_token":"planted\\r\\nx: y"}' },
      { kind: 'unusable', message: 'The access_token in the answer can’t be sent in a header.' },
    ],
    [
      'a token that is an object',
      client,
      { mode: 'raw', raw: '{"access_token":{"planted":1}}' },
      { kind: 'unusable' },
    ],
    [
      'a refresh token that is no text',
      refreshing,
      { mode: 'raw', raw: '{"access_token":"a","refresh_token":{"planted":1}}' },
      { kind: 'unusable', message: 'The new refresh_token in the answer is not usable text.' },
    ],
    [
      'JSON that ends early',
      client,
      { mode: 'raw', raw: '{"access_token":"pla' },
      { kind: 'unusable' },
    ],
    ['a list', client, { mode: 'raw', raw: '["planted"]' }, { kind: 'unusable' }],
  ])('%s', async (_, credential, settings, expected) => {
    await authority.change(settings)
    expect(await problem(credential())).toMatchObject(expected)
  })

  /** [status, body, kind at a token endpoint, kind at a login] */
  test.each<[number, string, SignInProblem['kind'], SignInProblem['kind']]>([
    [400, '{"error":"invalid_client"}', 'refused', 'refused'],
    [400, '{"error":"invalid_grant"}', 'refused', 'refused'],
    [200, '{"error":"invalid_client"}', 'refused', 'unusable'],
    [401, '', 'refused', 'refused'],
    [403, '<h1>No</h1>', 'refused', 'refused'],
    [400, '', 'unusable', 'unusable'],
    [400, '{"error":"Access Denied"}', 'unusable', 'unusable'],
    [400, '{"error":"invalid_scope"}', 'unusable', 'unusable'],
    [404, '{}', 'unusable', 'unusable'],
    [422, '{}', 'unusable', 'unusable'],
    [429, '{"error":"invalid_client"}', 'unavailable', 'unavailable'],
    [500, '', 'unavailable', 'unavailable'],
    [503, '{"error":"invalid_client"}', 'unavailable', 'unavailable'],
  ])('status %i with %s is %s, at a login %s', async (status, raw, kind, atLogin) => {
    await authority.change({ mode: 'raw', status, raw, retryAfter: '7' })
    const later = kind === 'unavailable' ? { retryAfterSeconds: 7 } : {}
    expect(await problem(client())).toMatchObject({ kind, ...later })
    expect(await problem(login())).toMatchObject({ kind: atLogin, ...later })
  })

  test('an authority that never answers', async () => {
    await authority.change({ mode: 'silent' })
    expect(await problem(client(), 200)).toMatchObject({
      kind: 'unavailable',
      field: 'token_url',
      message: 'This address did not answer in time.',
    })
  })

  test('an address that nobody serves', async () => {
    expect(await problem(client({ token_url: 'http://127.0.0.1:9/token' }))).toMatchObject({
      kind: 'unavailable',
      field: 'token_url',
    })
  })
})

describe('how long a token lives is bounded, whatever the authority says', () => {
  test.each<[string, unknown, number]>([
    ['a number', 3600, 3600],
    ['a number as text', '3600', 3600],
    ['nothing', null, 300],
    ['0', 0, 300],
    ['a negative number', -5, 300],
    ['words', 'soon', 300],
    ['a list', [3600], 300],
    ['less than a second', 0.001, 1],
    ['1e99', 1e99, 31_536_000],
  ])('%s', async (_, expiresIn, seconds) => {
    await authority.change({ expiresIn })
    expect((await obtained(client())).expiresAt).toEqual(secondsFromNow(seconds))
  })

  test.each<[string, string, number | undefined]>([
    ['a time in UTC', '2026-06-01T08:01:00Z', 60_000],
    ['a time with a zone', '2026-06-01T10:01:00+02:00', 60_000],
    ['a time without one', '2026-06-01 08:01:00', 60_000],
    ['seconds since 1970', '1780300860', 60_000],
    ['milliseconds since 1970', '1780300860000', 60_000],
    ['a time that is over', '2026-06-01T07:00:00Z', undefined],
    ['a time that is none', '2026-99-99T08:01:00Z', undefined],
  ])('%s', (_, text, expected) => {
    expect(lifetimeMs(text, new Date('2026-06-01T08:00:00Z'))).toBe(expected)
  })
})

test.each([
  [3600, 2880],
  [300, 240],
  [200, 140],
  [121, 61],
  [120, 96],
  [20, 16],
  [1, 0.8],
])('a token that lives %d s is renewed after %d s', (lifeSeconds, afterSeconds) => {
  const from = new Date(0)
  expect(renewAt(from, new Date(lifeSeconds * 1_000)).getTime()).toBe(afterSeconds * 1_000)
})
