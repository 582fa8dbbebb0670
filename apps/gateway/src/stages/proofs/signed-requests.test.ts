import { noTrafficPolicy } from '@gatehouse/contract/gateway'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it } from 'vitest'
import { createTrafficPolicies } from '../../policy/traffic-policies.ts'
import type { TraceMessage } from '../../messages/report-messages.ts'
import {
  adminToken,
  buildApi,
  buildEndpoint,
  buildSnapshot,
  buildToken,
  clientToken,
  digestOf,
} from '../../testing/build-snapshot.ts'
import { RawClient } from '../../testing/raw-client.ts'
import { digestField, signRequest, type ToSign } from '../../testing/sign-request.ts'
import { startGateway, traceSecret } from '../../testing/test-gateway.ts'
import { traceHeader, traceHeaderName } from '../../trace/trace-signature.ts'
import { lentMs } from '../../trace/unsaved-endpoints.ts'

const secret = `ghk_${'s'.repeat(49)}`
const windowSeconds = 60

const tokens = [
  buildToken({ signing_secret: secret }),
  buildToken({ id: 2, digest: digestOf(adminToken), user_id: 5 }),
  buildToken({ id: 4, digest: digestOf('other'), user_id: 6, signing_secret: secret }),
  buildToken({
    id: 3,
    digest: digestOf('gone'),
    signing_secret: secret,
    expires_at: '2001-01-01T00:00:00.000Z',
  }),
]

/** An API whose callers sign, one whose callers do not, and one that signs and is open. */
async function start({ maxBytes = null as number | null, trustedProxies = [] as string[] } = {}) {
  const upstream = await startRecordingUpstream()
  const policy = {
    ...noTrafficPolicy,
    signature: { window_seconds: windowSeconds },
    max_body_bytes: maxBytes,
  }
  const usual = { base_url: upstream.url, requires_token: true }
  const traces: TraceMessage[] = []
  const snapshot = buildSnapshot({
    apis: [
      buildApi({ ...usual, policy }),
      buildApi({ id: 2, name: 'Other', context: 'other', ...usual }),
      buildApi({ id: 3, name: 'Open', context: 'open', base_url: upstream.url, policy }),
    ],
    endpoints: [1, 2, 3].flatMap((api_id) => [
      buildEndpoint({ id: api_id, api_id }),
      buildEndpoint({ id: api_id + 10, api_id, method: 'POST' }),
    ]),
    tokens,
    access: [{ role_id: 2, endpoint_ids: [1, 2, 3, 11, 12, 13] }],
  })
  const gateway = await startGateway(snapshot, {
    trustedProxies,
    compilePolicy: createTrafficPolicies().compile,
    onTrace: (trace) => traces.push(trace),
  })
  const send = async (
    method: string,
    target: string,
    fields: readonly (readonly [string, string])[],
    body = '',
  ) => {
    const client = new RawClient(gateway.port)
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
    client.send(
      `${method} ${target} HTTP/1.1\r\nHost: shop.example.com\r\n${lines}${length}\r\n${body}`,
    )
    const answer = await client.answer()
    const text = Buffer.from(answer?.body ?? '', 'latin1').toString()
    const { message } = (text.startsWith('{') ? JSON.parse(text) : {}) as { message?: string }
    return { status: answer?.status, message, headers: answer?.headers }
  }
  return { upstream, gateway, snapshot, traces, send }
}

type Started = Awaited<ReturnType<typeof start>>

const get = { target: '/sales/orders?page=2', secret }
const post = { method: 'POST', target: '/sales/orders', body: '{"a":1}', secret }
const fieldsOf = (given: ToSign) => Object.entries(signRequest(given))
const sendSigned = ({ send }: Started, given: ToSign) =>
  send(given.method ?? 'GET', given.target, fieldsOf(given), given.body)

describe('a signed request', () => {
  it('opens what its token opens, and the proof goes no further', async () => {
    const started = await start()
    for (const given of [
      get,
      post,
      { ...get, components: ['@method', '@target-uri'] },
      { ...post, components: ['content-digest', '@target-uri', '@method'] },
      { ...get, target: '/sales/orders' },
      { ...get, nonce: null },
    ])
      expect(await sendSigned(started, given)).toMatchObject({ status: 200 })
    const { requests } = started.upstream
    expect(requests).toHaveLength(6)
    for (const { headers } of requests) {
      const names = headers.map(([name]) => name.toLowerCase())
      expect(names).not.toContain('signature')
      expect(names).not.toContain('signature-input')
      expect(names).not.toContain('authorization')
    }
    expect(requests[1]?.body.toString()).toBe(post.body)
  })

  it('may show the token of its keyid as well, and no other', async () => {
    const { send } = await start()
    const withToken = (token: string) =>
      send('GET', get.target, [...fieldsOf(get), ['Authorization', `Bearer ${token}`]])
    expect(await withToken(clientToken)).toMatchObject({ status: 200 })
    expect(await withToken(adminToken)).toMatchObject({
      status: 401,
      message: expect.stringContaining('Authorization'),
    })
  })

  it('is the only proof that counts: a token alone is refused, and told how to sign', async () => {
    const { send, upstream } = await start()
    const answer = await send('GET', get.target, [['Authorization', `Bearer ${clientToken}`]])
    expect(answer).toMatchObject({ status: 401, message: expect.stringContaining('missing') })
    expect(answer.headers?.get('www-authenticate')).toBe('Signature realm="gateway"')
    expect(answer.headers?.get('accept-signature')).toContain('alg="hmac-sha256"')
    expect(upstream.requests).toHaveLength(0)
  })

  it('is nothing to an API that asks for none, and is taken out of calls of open endpoints', async () => {
    const { send, upstream } = await start()
    const other = { ...get, target: '/other/orders' }
    expect((await send('GET', other.target, fieldsOf(other))).status).toBe(401)
    const bearer: [string, string] = ['Authorization', `Bearer ${clientToken}`]
    expect((await send('GET', other.target, [...fieldsOf(other), bearer])).status).toBe(200)
    expect(upstream.requests[0]?.headers.map(([name]) => name)).toContain('signature')
    const open = { ...get, target: '/open/orders' }
    expect((await send('GET', open.target, fieldsOf(open))).status).toBe(200)
    expect(upstream.requests[1]?.headers.map(([name]) => name)).not.toContain('signature')
  })
})

describe('an attack on a signature', () => {
  const later = Math.floor(Date.now() / 1_000)
  const signed = signRequest(post)
  const input = signed['Signature-Input'] ?? ''
  const mac = signed['Signature'] ?? ''
  const fields = (change: Record<string, string>) => Object.entries({ ...signed, ...change })
  const posted = (...sent: readonly (readonly [string, string])[]): Parameters<Started['send']> => [
    'POST',
    post.target,
    sent,
    post.body,
  ]

  it.each<[string, Parameters<Started['send']>, RegExp]>([
    ['another path', ['GET', '/sales/orders/', fieldsOf(get)], /./],
    ['another query', ['GET', '/sales/orders?page=3', fieldsOf(get)], /does not match/],
    ['no query', ['GET', '/sales/orders', fieldsOf(get)], /does not match/],
    ['another method', ['POST', get.target, fieldsOf(get)], /does not match/],
    ['another body', ['POST', post.target, fields({}), '{"a":2}'], /body is not that/],
    ['a longer body', ['POST', post.target, fields({}), `${post.body} `], /body is not that/],
    ['no body', ['POST', post.target, fields({})], /body is not that/],
    [
      'another body with its digest',
      ['POST', post.target, fields({ 'Content-Digest': digestField('{"a":2}') }), '{"a":2}'],
      /does not match/,
    ],
    [
      'a body that is not covered',
      ['POST', '/sales/orders', fieldsOf({ ...get, method: 'POST', target: '/sales/orders' }), 'x'],
      /does not cover content-digest/,
    ],
    ['two digests', posted(...fields({}), ['Content-Digest', digestField('x')]), /may come once/],
    [
      'a digest of two',
      posted(...fields({ 'Content-Digest': `${digestField(post.body)}, sha-512=:x:` })),
      /sha-256 alone/,
    ],
    [
      'a digest that is weak',
      posted(...fields({ 'Content-Digest': 'md5=:abc=:' })),
      /sha-256 alone/,
    ],
    ['no digest', posted(['Signature-Input', input], ['Signature', mac]), /sha-256 alone/],
    ['two of Signature', posted(...fields({}), ['Signature', mac]), /once each/],
    ['two of Signature-Input', posted(...fields({}), ['signature-input', input]), /once each/],
    ['two labels', posted(...fields({ 'Signature-Input': `${input}, other=()` })), /can’t be read/],
    [
      'two labels of MACs',
      posted(...fields({ Signature: `${mac}, other=:YWJj:` })),
      /can’t be read/,
    ],
    ['another label', posted(...fields({ Signature: mac.replace('sig=', 'other=') })), /different/],
    ['no MAC', posted(['Signature-Input', input]), /missing/],
    ['no input', posted(['Signature', mac]), /missing/],
    [
      'blanks',
      posted(...fields({ 'Signature-Input': input.replaceAll(';', '; ') })),
      /can’t be read/,
    ],
    ['a MAC that is cut', posted(...fields({ Signature: 'sig=:YWJj:' })), /can’t be read/],
    [
      'a MAC with bits beyond its end',
      posted(
        ...fields({ Signature: mac.replace(/.=:$/, (end) => `${end[0] === 'B' ? 'C' : 'B'}=:`) }),
      ),
      /canonical|does not match/,
    ],
    [
      'a component of its own',
      posted(
        ...fieldsOf({
          ...post,
          components: ['@method', '@path', '@query', 'content-digest', 'date'],
        }),
      ),
      /covers date/,
    ],
    [
      'the host alone',
      posted(...fieldsOf({ ...post, components: ['@method', '@authority', 'content-digest'] })),
      /covers @authority/,
    ],
    [
      'no method',
      posted(...fieldsOf({ ...post, components: ['@target-uri', 'content-digest'] })),
      /not cover @method/,
    ],
    [
      'no path',
      posted(...fieldsOf({ ...post, components: ['@method', '@query', 'content-digest'] })),
      /not cover @path/,
    ],
    [
      'no query',
      posted(...fieldsOf({ ...post, components: ['@method', '@path', 'content-digest'] })),
      /not cover @query/,
    ],
    ['nothing covered', posted(...fieldsOf({ ...post, components: [] })), /does not cover/],
    [
      'a component twice',
      posted(
        ...fieldsOf({
          ...post,
          components: ['@method', '@method', '@target-uri', 'content-digest'],
        }),
      ),
      /twice/,
    ],
    [
      'another algorithm',
      posted(...fieldsOf({ ...post, alg: 'rsa-pss-sha512' })),
      /alg="hmac-sha256"/,
    ],
    [
      'no algorithm',
      posted(...fields({ 'Signature-Input': input.replace(/;alg="[^"]*"/, '') })),
      /alg="hmac-sha256"/,
    ],
    [
      'a parameter of its own',
      posted(...fields({ 'Signature-Input': `${input};tag="x"` })),
      /parameter tag/,
    ],
    [
      'a parameter twice',
      posted(...fields({ 'Signature-Input': `${input};created=1` })),
      /created twice/,
    ],
    ['created long ago', posted(...fieldsOf({ ...post, created: later - 120 })), /older than 60/],
    ['created in the future', posted(...fieldsOf({ ...post, created: later + 600 })), /from now/],
    [
      'created before 1970',
      posted(...fields({ 'Signature-Input': input.replace(/created=\d+/, 'created=-5') })),
      /can’t be read/,
    ],
    [
      'no time',
      posted(...fields({ 'Signature-Input': input.replace(/;created=\d+/, '') })),
      /needs created/,
    ],
    [
      'a time as text',
      posted(...fields({ 'Signature-Input': input.replace(/created=(\d+)/, 'created="$1"') })),
      /needs created/,
    ],
    ['another secret', posted(...fieldsOf({ ...post, secret: `${secret}x` })), /does not match/],
    [
      'the text of the token',
      posted(...fieldsOf({ ...post, secret: clientToken })),
      /does not match/,
    ],
    [
      'its stored digest',
      posted(...fieldsOf({ ...post, secret: digestOf(clientToken) })),
      /does not match/,
    ],
    ['a token without a secret', posted(...fieldsOf({ ...post, keyId: '2' })), /does not match/],
    ['a blank secret', posted(...fieldsOf({ ...post, keyId: '2', secret: '' })), /does not match/],
    ['nobody’s token', posted(...fieldsOf({ ...post, keyId: '999' })), /does not match/],
    ['no id', posted(...fieldsOf({ ...post, keyId: 'till' })), /needs keyid/],
    ['a name of objects', posted(...fieldsOf({ ...post, keyId: '__proto__' })), /needs keyid/],
    [
      'letters of another script',
      posted(...fields({ 'Signature-Input': input.replace('@method', '@m\xe9thod') })),
      /can’t be read/,
    ],
    [
      'a long header',
      posted(...fields({ 'Signature-Input': `sig=(${'"@method" '.repeat(1_000)})` })),
      /can’t be read/,
    ],
  ])('%s is refused, and the upstream hears nothing', async (name, request, message) => {
    const { send, upstream } = await start()
    const answer = await send(...request)
    expect(answer.status).toBe(name === 'another path' ? 404 : 401)
    if (answer.message !== undefined) expect(answer.message).toMatch(message)
    expect(JSON.stringify(answer)).not.toContain(secret)
    expect(upstream.requests).toHaveLength(0)
  })

  it('a signature counts once, also where nothing in it says so', async () => {
    const started = await start()
    for (const given of [get, { ...get, nonce: null }, post]) {
      const fields = fieldsOf(given)
      const { method = 'GET', target, body } = given as ToSign
      expect((await started.send(method, target, fields, body)).status).toBe(200)
      for (const again of [
        fields,
        fields.map(([name, value]) => [name, value.replace('sig=', 'other=')] as const),
      ])
        expect(await started.send(method, target, again, body)).toMatchObject({
          status: 401,
          message: expect.stringContaining('used before'),
        })
    }
    expect(started.upstream.requests).toHaveLength(3)
  })

  it('a signature that counted at another worker counts no more', async () => {
    const [one, other] = [await start(), await start()]
    const fields = fieldsOf(get)
    expect((await one.send('GET', get.target, fields)).status).toBe(200)
    other.gateway.absorbSignatures(one.gateway.drainSignatures())
    expect((await other.send('GET', get.target, fields)).status).toBe(401)
    expect(one.gateway.drainSignatures()).toEqual([])
  })

  it('a client that has signed too much within the time of the API waits, and no other does', async () => {
    const started = await start()
    const created = Math.floor(Date.now() / 1_000)
    started.gateway.absorbSignatures(
      Array.from({ length: 260_000 }, (_, at) => [
        Buffer.from(`mac ${at}`).toString('base64'),
        created,
        'u4',
        'sales',
        windowSeconds,
      ]),
    )
    const refused = await sendSigned(started, get)
    expect(refused).toMatchObject({ status: 429, message: expect.stringContaining('signed') })
    expect(refused.headers?.get('retry-after')).toBe('16')
    expect((await sendSigned(started, { ...get, keyId: '4' })).status).toBe(200)
    expect(started.upstream.requests).toHaveLength(1)
  })

  it('an expired token signs no more', async () => {
    const started = await start()
    expect((await sendSigned(started, { ...get, keyId: '3' })).status).toBe(401)
  })

  it('a secret that was taken back signs no more, over a connection that is open', async () => {
    const { gateway, snapshot } = await start()
    const client = new RawClient(gateway.port)
    const ask = async () => {
      const lines = fieldsOf(get).map(([name, value]) => `${name}: ${value}\r\n`)
      client.send(`GET ${get.target} HTTP/1.1\r\nHost: shop.example.com\r\n${lines.join('')}\r\n`)
      return (await client.answer())?.status
    }
    expect(await ask()).toBe(200)
    const without = tokens.map((token) => ({ ...token, signing_secret: null }))
    expect(gateway.swap({ ...snapshot, revision: 2, tokens: without })).toMatchObject({ ok: true })
    expect(await ask()).toBe(401)
  })
})

describe('a signed body', () => {
  it('reaches the upstream once it is there as a whole and fits its digest', async () => {
    const { gateway, upstream } = await start()
    const body = 'x'.repeat(200_000)
    const lines = fieldsOf({ ...post, body }).map(([name, value]) => `${name}: ${value}\r\n`)
    const client = new RawClient(gateway.port)
    client.send(
      `POST ${post.target} HTTP/1.1\r\nHost: shop.example.com\r\n${lines.join('')}Transfer-Encoding: chunked\r\n\r\n`,
    )
    client.send(`${body.length.toString(16)}\r\n${body}\r\n`)
    // Another request goes all the way meanwhile.
    expect((await fetch(`${gateway.url}/open/orders`)).status).toBe(200)
    expect(upstream.requests).toHaveLength(1)
    client.send('0\r\n\r\n')
    expect((await client.answer())?.status).toBe(200)
    expect(upstream.requests[1]?.body.toString()).toBe(body)
  })

  it.each([
    ['what the API takes', 100, 101],
    ['1 MiB, where the API says nothing', null, 1024 * 1024 + 1],
  ])('is held up to %s', async (_, maxBytes, size) => {
    const started = await start({ maxBytes })
    const body = 'x'.repeat(size)
    expect((await sendSigned(started, { ...post, body })).status).toBe(413)
    const fitting = { ...post, body: body.slice(1) }
    expect((await sendSigned(started, fitting)).status).toBe(200)
    expect(started.upstream.requests).toHaveLength(1)
  })

  it('larger than 1 MiB passes where the API takes it', async () => {
    const started = await start({ maxBytes: 3_000_000 })
    const body = 'y'.repeat(2_500_000)
    expect((await sendSigned(started, { ...post, body })).status).toBe(200)
    expect(started.upstream.requests[0]?.body.length).toBe(body.length)
  })
})

it('the address is that which the proxy in front was called by', async () => {
  const { send } = await start({ trustedProxies: ['127.0.0.1/32'] })
  const origin = 'https://api.example.com'
  const fields = fieldsOf({ ...get, origin, components: ['@method', '@target-uri'] })
  const proxied: [string, string][] = [
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Host', 'API.example.com:443'],
    ['X-Forwarded-For', '203.0.113.7'],
  ]
  expect((await send('GET', get.target, fields)).status).toBe(401)
  expect((await send('GET', get.target, [...fields, ...proxied])).status).toBe(200)
  const others = fieldsOf({ ...get, origin, components: ['@method', '@target-uri'] })
  const twice: [string, string][] = [
    ['X-Forwarded-Proto', 'https, http'],
    ['X-Forwarded-Host', 'api.example.com, inner'],
    ['X-Forwarded-For', '203.0.113.7, 127.0.0.1'],
  ]
  expect((await send('GET', get.target, [...others, ...twice])).status).toBe(200)
})

it('an administrator who tries a token signs nothing, and learns that it could not sign', async () => {
  const { gateway, traces } = await start()
  const tryAs = async (tokenId: number) => {
    const lent = { tokenId, method: 'GET', target: get.target, untilMs: Date.now() + lentMs }
    const headers = { [traceHeaderName]: traceHeader(traceSecret, `e1_t${tokenId}`, lent) }
    return (await fetch(`${gateway.url}${get.target}`, { headers })).status
  }
  expect(await tryAs(1)).toBe(200)
  expect(await tryAs(2)).toBe(401)
  await expect.poll(() => JSON.stringify(traces)).toContain('no signing secret')
})
