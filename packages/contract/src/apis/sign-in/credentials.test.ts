import { describe, expect, test } from 'vitest'
import {
  credentialInput,
  joinSecrets,
  joinTls,
  mergeKept,
  mergeKeptTls,
  secretTextsOf,
  showCredential,
  shownCredential,
  splitSecrets,
  splitTls,
  staticHeaders,
  storedCredential,
  tlsInput,
  type StoredCredential,
} from './credentials.ts'

const tokenUrl = 'https://id.example.com/token'
const client = { token_url: tokenUrl, client_id: 'c1', client_secret: 'SECRET-client' }
const key = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'

/** One whole example per kind; every secret in it begins with SECRET. */
const examples = {
  bearer: { kind: 'bearer', token: 'SECRET-token' },
  basic: { kind: 'basic', username: 'u', password: 'SECRET password' },
  headers: {
    kind: 'headers',
    headers: [
      { name: 'Client-Id', value: 'SECRET-1' },
      { name: 'Secret-Key', value: 'SECRET-2' },
    ],
  },
  oauth2_client_credentials: {
    kind: 'oauth2_client_credentials',
    ...client,
    body_fields: [{ name: 'onbehalfof', value: 'C123' }],
  },
  oauth2_refresh_token: {
    kind: 'oauth2_refresh_token',
    ...client,
    refresh_token: 'SECRET-refresh',
  },
  login_call: {
    kind: 'login_call',
    url: 'https://erp.example.com/login',
    headers: [{ name: 'X-Key', value: 'SECRET-key' }],
    body: '{"password":"SECRET-body"}',
    token_path: 'data.token',
  },
}
type Kind = keyof typeof examples
const kinds = Object.keys(examples) as Kind[]

const draft = (given: unknown): StoredCredential => credentialInput.parse(given)

function saved(given: unknown, stored?: StoredCredential): StoredCredential {
  const merged = mergeKept(draft(given), stored)
  if (!merged.ok) throw new Error(JSON.stringify(merged.problems))
  return merged.value
}

/** Messages by field, as an answer of 422 names them. */
function problems(schema: { safeParse: typeof credentialInput.safeParse }, given: unknown) {
  const parsed = schema.safeParse(given)
  const issues = parsed.success ? [] : parsed.error.issues
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]))
}

describe.each(kinds)('the kind %s', (kind) => {
  const whole = saved(examples[kind])

  test('is stored in two parts that give the whole again', () => {
    const { shown, secrets } = JSON.parse(JSON.stringify(splitSecrets(whole)))
    expect(joinSecrets(shown, secrets)).toEqual(whole)
    expect(storedCredential.parse(whole)).toEqual(whole)
  })

  test('is shown without any secret, and says that one is stored', () => {
    const text = JSON.stringify(showCredential(whole))
    expect(text).not.toContain('SECRET')
    expect(text).toMatch(/"has_\w+":true/)
    expect(shownCredential.parse(showCredential(whole))).toEqual(showCredential(whole))
    expect(secretTextsOf(whole).length).toBeGreaterThan(0)
    expect(secretTextsOf(whole).every((secret) => secret.includes('SECRET'))).toBe(true)
  })

  test('keeps its secrets where they are left out', () => {
    const without = JSON.parse(JSON.stringify(examples[kind]), (field, value) =>
      typeof value === 'string' && value.includes('SECRET') ? undefined : value,
    )
    expect(saved(without, whole)).toEqual(whole)
  })

  test('keeps no secret when the API’s address has changed', () => {
    const blank = draft({
      ...examples[kind],
      token: '',
      password: '',
      client_secret: '',
      refresh_token: '',
      body: '',
      headers: [{ name: 'X-Key' }],
    })
    const merged = mergeKept(blank, whole, { isMoved: true })
    expect(merged).toMatchObject({ ok: false })
    expect(JSON.stringify(merged)).not.toContain('SECRET')
  })
})

test('no secret goes to another token URL, or to another kind', () => {
  const stored = saved(examples.oauth2_refresh_token)
  const elsewhere = {
    ...examples.oauth2_refresh_token,
    token_url: 'https://evil.example.com/token',
  }
  expect(mergeKept(draft({ ...elsewhere, client_secret: '', refresh_token: '' }), stored)).toEqual({
    ok: false,
    problems: [
      {
        path: ['client_secret'],
        message: 'The address has changed: enter the client secret again.',
      },
      {
        path: ['refresh_token'],
        message: 'The address has changed: enter the refresh token again.',
      },
    ],
  })
  const other = draft({ ...examples.oauth2_client_credentials, client_secret: '' })
  expect(mergeKept(other, stored)).toEqual({
    ok: false,
    problems: [{ path: ['client_secret'], message: 'The client secret field is required.' }],
  })
})

test('a body of a login call is not lost silently when its address changes', () => {
  const stored = saved(examples.login_call)
  const given = draft({ ...examples.login_call, url: 'https://erp.example.com/v2', body: '' })
  expect(mergeKept(given, stored)).toMatchObject({ ok: false, problems: [{ path: ['body'] }] })
})

test('a header’s value is kept by its name, whatever its place', () => {
  const stored = saved(examples.headers)
  const given = { kind: 'headers', headers: [{ name: 'secret-key' }, { name: 'New', value: 'n' }] }
  expect(saved(given, stored)).toMatchObject({
    headers: [
      { name: 'secret-key', value: 'SECRET-2' },
      { name: 'New', value: 'n' },
    ],
  })
})

test('a client that signs keeps no client secret', () => {
  const given = {
    ...examples.oauth2_client_credentials,
    client_authentication: 'private_key_jwt',
    private_key: key,
    algorithm: 'ES256',
  }
  expect(saved(given, saved(examples.oauth2_client_credentials))).toMatchObject({
    client_secret: '',
    private_key: key,
  })
})

test('what is left out has the defaults of the specification', () => {
  expect(saved(examples.login_call)).toMatchObject({
    method: 'POST',
    content_type: 'application/json',
    expires_path: '',
    lifetime_seconds: null,
    send_as: [{ name: 'Authorization', value: 'Bearer {token}' }],
    refused_when: null,
  })
  expect(saved(examples.oauth2_client_credentials)).toMatchObject({
    scheme: 'Bearer',
    client_authentication: 'basic',
    algorithm: 'RS256',
  })
})

test.each<[string, object, string]>([
  ['no kind', { kind: undefined }, 'kind'],
  ['an unknown kind', { kind: 'oauth1' }, 'kind'],
  ['a token with a line break', { ...examples.bearer, token: 'a\nb' }, 'token'],
  ['a scheme of two words', { ...examples.bearer, scheme: 'Bearer x' }, 'scheme'],
  ['no user name', { ...examples.basic, username: ' ' }, 'username'],
  ['a colon in the user name', { ...examples.basic, username: 'a:b' }, 'username'],
  ['a password with a line break', { ...examples.basic, password: 'a\r\nb' }, 'password'],
  ['no header', { kind: 'headers', headers: [] }, 'headers'],
  [
    'a header that is none',
    { kind: 'headers', headers: [{ name: 'a b', value: '1' }] },
    'headers.0.name',
  ],
  ['Host', { kind: 'headers', headers: [{ name: 'Host', value: '1' }] }, 'headers.0.name'],
  [
    'a hop-by-hop header',
    { kind: 'headers', headers: [{ name: 'TE', value: '1' }] },
    'headers.0.name',
  ],
  [
    'a header of ours',
    { kind: 'headers', headers: [{ name: 'X-Gatehouse-Trace', value: '1' }] },
    'headers.0.name',
  ],
  [
    'a value with CR LF',
    { kind: 'headers', headers: [{ name: 'a', value: '1\r\nx: 2' }] },
    'headers.0.value',
  ],
  [
    'a value beyond ASCII',
    { kind: 'headers', headers: [{ name: 'a', value: 'é' }] },
    'headers.0.value',
  ],
  [
    'a header twice',
    {
      kind: 'headers',
      headers: [
        { name: 'a', value: '1' },
        { name: 'A', value: '2' },
      ],
    },
    'headers.1.name',
  ],
  [
    'eleven headers',
    {
      kind: 'headers',
      headers: Array.from({ length: 11 }, (_, at) => ({ name: `h${at}`, value: '1' })),
    },
    'headers',
  ],
  [
    'a token URL of another scheme',
    { ...examples.oauth2_client_credentials, token_url: 'ftp://a' },
    'token_url',
  ],
  [
    'a token URL with a password',
    { ...examples.oauth2_client_credentials, token_url: 'https://a:b@c' },
    'token_url',
  ],
  ['no client ID', { ...examples.oauth2_client_credentials, client_id: '' }, 'client_id'],
  [
    'a field of the sign-in',
    { ...examples.oauth2_client_credentials, body_fields: [{ name: 'grant_type', value: 'x' }] },
    'body_fields.0.name',
  ],
  [
    'two Authorizations',
    {
      ...examples.oauth2_client_credentials,
      login_headers: [{ name: 'Authorization', value: 'x' }],
    },
    'login_headers.0.name',
  ],
  [
    'a key that is none',
    { ...examples.oauth2_client_credentials, private_key: 'x' },
    'private_key',
  ],
  [
    'an unknown algorithm',
    { ...examples.oauth2_client_credentials, algorithm: 'none' },
    'algorithm',
  ],
  [
    'a refresh by signature',
    { ...examples.oauth2_refresh_token, client_authentication: 'private_key_jwt' },
    'client_authentication',
  ],
  ['no login URL', { ...examples.login_call, url: '' }, 'url'],
  ['another method', { ...examples.login_call, method: 'GET' }, 'method'],
  ['no token path', { ...examples.login_call, token_path: '' }, 'token_path'],
  ['a token path that is none', { ...examples.login_call, token_path: 'a..b' }, 'token_path'],
  ['an expiry path that is none', { ...examples.login_call, expires_path: '[' }, 'expires_path'],
  ['a lifetime of no time', { ...examples.login_call, lifetime_seconds: 0 }, 'lifetime_seconds'],
  [
    'a header without the token',
    { ...examples.login_call, send_as: [{ name: 'a', value: 'b' }] },
    'send_as.0.value',
  ],
  ['a body that is not JSON', { ...examples.login_call, body: 'a=b' }, 'body'],
  ['a content type that is none', { ...examples.login_call, content_type: 'json' }, 'content_type'],
  [
    'a charset that the body is not sent in',
    { ...examples.login_call, content_type: 'application/json; charset=iso-8859-1' },
    'content_type',
  ],
  [
    'a rule without a path',
    { ...examples.bearer, refused_when: { conditions: [{ path: '', test: 'exists' }] } },
    'refused_when.conditions.0.path',
  ],
])('%s is refused on its own field', (_, given, field) => {
  expect(Object.keys(problems(credentialInput, given))).toEqual([field])
})

test('static headers are not secret, so they may not carry a sign-in', () => {
  const given = [
    { name: 'Accept-Version', value: 'V2' },
    { name: 'X-Correlation', value: '{uuid}' },
  ]
  expect(staticHeaders.parse(given)).toEqual(given)
  const refused = ['Authorization', 'Transfer-Encoding', 'X-Request-Id', 'Content-Type']
  for (const name of refused) {
    expect(staticHeaders.safeParse([{ name, value: 'x' }]).error?.issues[0]?.path).toEqual([
      0,
      'name',
    ])
  }
})

describe('TLS settings', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
  const whole = {
    ...tlsInput.parse({ client_certificate: certificate, client_key: key, passphrase: 'p' }),
    pfx: '',
  }

  test('are stored in two parts, of which one shows no secret', () => {
    const { shown, secrets } = splitTls(whole)
    expect(shown).toMatchObject({ has_client_key: true, has_pfx: false, has_passphrase: true })
    expect(JSON.stringify(shown)).not.toContain('PRIVATE')
    expect(joinTls(shown, secrets)).toEqual(whole)
  })

  test('keep their secrets, and a PFX file replaces a certificate', () => {
    const kept = mergeKeptTls(tlsInput.parse({ client_certificate: certificate }), whole)
    expect(kept).toEqual({ ok: true, value: whole })
    const pfx = mergeKeptTls(tlsInput.parse({ pfx: 'AAAA', passphrase: 'q' }), whole)
    expect(pfx).toMatchObject({
      value: { client_certificate: '', client_key: '', pfx: 'AAAA', passphrase: 'q' },
    })
  })

  test('keep a PFX file that is absent or blank, and forget it for null', () => {
    const ca = certificate
    const stored = { ...tlsInput.parse({ pfx: 'AAAA', passphrase: 'p', ca }), pfx: 'AAAA' }
    for (const given of [{ ca }, { ca, pfx: '' }]) {
      expect(mergeKeptTls(tlsInput.parse(given), stored)).toEqual({ ok: true, value: stored })
    }
    expect(mergeKeptTls(tlsInput.parse({ ca, pfx: null }), stored)).toEqual({
      ok: true,
      value: { ...stored, pfx: '', passphrase: '' },
    })
    expect(mergeKeptTls(tlsInput.parse({ ca, pfx: null }), undefined)).toMatchObject({
      value: { pfx: '', ca },
    })
  })

  test('need a key with a certificate, and a certificate with a key', () => {
    const onlyCertificate = mergeKeptTls(
      tlsInput.parse({ client_certificate: certificate }),
      undefined,
    )
    expect(onlyCertificate).toMatchObject({ ok: false, problems: [{ path: ['client_key'] }] })
    const onlyKey = mergeKeptTls(tlsInput.parse({ client_key: key }), undefined)
    expect(onlyKey).toMatchObject({ ok: false, problems: [{ path: ['client_certificate'] }] })
  })

  test.each<[string, object, string]>([
    ['a certificate that is none', { client_certificate: 'x' }, 'client_certificate'],
    ['a key that is none', { client_key: 'x' }, 'client_key'],
    ['a PFX file that is no base64', { pfx: '%%' }, 'pfx'],
    [
      'both forms at once',
      { client_certificate: certificate, client_key: key, pfx: 'AAAA' },
      'pfx',
    ],
    ['a certificate of an authority that is none', { ca: 'x' }, 'ca'],
  ])('refuse %s on its own field', (_, given, field) => {
    expect(tlsInput.safeParse(given).error?.issues.map(({ path }) => path.join('.'))).toEqual([
      field,
    ])
  })
})
