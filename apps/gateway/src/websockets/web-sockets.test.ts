import { noTokenLimits, noTrafficPolicy } from '@gatehouse/contract/gateway'
import type {
  ConfigSnapshot,
  SnapshotApi,
  TokenLimits,
  TrafficPolicy,
} from '@gatehouse/contract/gateway'
import { webSocketAccept } from '@gatehouse/http1'
import { localhostCertificate } from '@gatehouse/http1/testing/localhost-certificate'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import { buildSnapshot, clientToken } from '../testing/build-snapshot.ts'
import { buildIssuer, makeKey, signJwt } from '../testing/jwt-issuer.ts'
import { startGateway } from '../testing/test-gateway.ts'
import {
  BareClient,
  bounds,
  closed,
  handshake,
  nextMessage,
  openWebSocket,
  webSocketSnapshot,
} from '../testing/web-socket-client.ts'
import { frameOf, startWebSocketUpstream } from '../testing/web-socket-upstream.ts'

const bearer = { authorization: `Bearer ${clientToken}` }

/** The upstream’s side of the only WebSocket. */
const only = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('There is none.')
  return one
}

it('passes messages both ways, text and binary, and the close of the client', async () => {
  const upstream = await startWebSocketUpstream()
  const gateway = await startGateway(webSocketSnapshot(upstream.url))
  const socket = await openWebSocket(gateway.port)
  socket.send('Grüße')
  expect(await nextMessage(socket)).toBe('Grüße')
  socket.send(Buffer.alloc(200_000, 7))
  expect(Buffer.from((await nextMessage(socket)) as ArrayBuffer)).toEqual(Buffer.alloc(200_000, 7))
  const end = closed(socket)
  socket.close(4001, 'done')
  expect(await end).toEqual({ code: 4001, reason: 'done' })
})

it('passes the close of the upstream', async () => {
  const upstream = await startWebSocketUpstream((socket) => {
    socket.onFrame = () => socket.close(4002)
  })
  const gateway = await startGateway(webSocketSnapshot(upstream.url))
  const socket = await openWebSocket(gateway.port)
  const end = closed(socket)
  socket.send('go')
  expect((await end).code).toBe(4002)
})

it('checks the token first, and sends the handshake without it', async () => {
  const upstream = await startWebSocketUpstream()
  const gateway = await startGateway(webSocketSnapshot(upstream.url, { requires_token: true }))
  const refused = new BareClient(gateway.port)
  refused.socket.write(handshake())
  expect(await refused.status()).toBe(401)
  await refused.ended
  expect(upstream.sockets).toHaveLength(0)
  const socket = await openWebSocket(gateway.port, {
    ...bearer,
    'sec-websocket-protocol': 'v2, v1',
  })
  expect(socket.protocol).toBe('v2')
  const { headers } = only(upstream.sockets).request
  expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', upgrade: 'websocket' })
  expect(headers.authorization).toBeUndefined()
})

it.each<[string, Partial<ConfigSnapshot>, Partial<TrafficPolicy>]>([
  ['a role without access', { access: [] }, {}],
  [
    'an address of a client that is not let in',
    {},
    { client_addresses: { allow: ['192.0.2.0/24'], deny: [] } },
  ],
])('%s is refused before the upstream is called', async (_name, parts, policy) => {
  const upstream = await startWebSocketUpstream()
  const api = { requires_token: true, policy: { ...noTrafficPolicy, ...policy } }
  const gateway = await startGateway(
    { ...webSocketSnapshot(upstream.url, api), ...parts },
    { compilePolicy: createTrafficPolicies().compile },
  )
  const client = new BareClient(gateway.port)
  client.socket.write(handshake(`Authorization: ${bearer.authorization}\r\n`))
  expect(await client.status()).toBe(403)
  expect(upstream.sockets).toHaveLength(0)
  expect(gateway.report().web_sockets).toMatchObject({ refused: 1, opened: 0 })
})

it('an address that is never called is not called for a WebSocket either', async () => {
  const gateway = await startGateway(webSocketSnapshot('http://169.254.169.254'))
  const client = new BareClient(gateway.port)
  client.socket.write(handshake())
  expect(await client.status()).toBe(502)
  expect(client.text).toContain('upstream.blocked_address')
})

it('calls an upstream over TLS', async () => {
  const upstream = await startWebSocketUpstream(undefined, localhostCertificate)
  const gateway = await startGateway(webSocketSnapshot(`https://localhost:${upstream.port}`), {
    ca: localhostCertificate.cert,
    lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  })
  const socket = await openWebSocket(gateway.port)
  socket.send('secret')
  expect(await nextMessage(socket)).toBe('secret')
})

it('holds no more at a time than it may, and has room again when one has ended', async () => {
  const upstream = await startWebSocketUpstream()
  const gateway = await startGateway(webSocketSnapshot(upstream.url), { webSocketsMax: 1 })
  const first = await openWebSocket(gateway.port)
  const second = new BareClient(gateway.port)
  second.socket.write(handshake())
  expect(await second.status()).toBe(503)
  expect(second.text).toContain('gateway.busy')
  const end = closed(first)
  first.close()
  await end
  await expect.poll(() => gateway.report().in_flight).toBe(0)
  expect(await openWebSocket(gateway.port)).toHaveProperty('readyState', WebSocket.OPEN)
})

it('leaves one line in the log when it has ended, and counts', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-log-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const upstream = await startWebSocketUpstream()
  const gateway = await startGateway(webSocketSnapshot(upstream.url), { dataDir })
  const socket = await openWebSocket(gateway.port)
  expect(gateway.report()).toMatchObject({
    in_flight: 1,
    traffic: [],
    web_sockets: { open: 1, opened: 1, refused: 0 },
  })
  socket.send('12345')
  await nextMessage(socket)
  // Two bytes of head, four of mask, then the message.
  expect(gateway.report().web_sockets).toMatchObject({ opened: 0, bytes_in: 11, bytes_out: 7 })
  const end = closed(socket)
  socket.close(1000)
  await end
  await expect.poll(() => gateway.report().web_sockets.open).toBe(0)
  await gateway.close()
  const folder = join(dataDir, 'logs', 'gateway')
  const line = JSON.parse(readFileSync(join(folder, only(readdirSync(folder))), 'utf8')) as unknown
  expect(line).toMatchObject({
    endpoint_id: 1,
    status: 101,
    upstream_status: 101,
    bytes_in: 19,
    bytes_out: 11,
    detail: 'closed by the client with 1000',
  })
})

it('is closed where nothing has come for the idle time', async () => {
  const upstream = await startWebSocketUpstream()
  const web_socket = { ...bounds, idle_seconds: 1 }
  const gateway = await startGateway(webSocketSnapshot(upstream.url, {}, { web_socket }))
  const socket = await openWebSocket(gateway.port)
  expect(await closed(socket)).toEqual({ code: 1001, reason: 'idle' })
  await expect.poll(() => only(upstream.sockets).frames.map(({ opcode }) => opcode)).toEqual([8])
})

it('is closed at the end of its life', async () => {
  const upstream = await startWebSocketUpstream()
  const web_socket = { ...bounds, life_seconds: 1 }
  const gateway = await startGateway(webSocketSnapshot(upstream.url, {}, { web_socket }))
  const socket = await openWebSocket(gateway.port)
  expect(await closed(socket)).toEqual({ code: 1001, reason: 'open too long' })
})

it('is closed towards both sides when the worker stops', async () => {
  const upstream = await startWebSocketUpstream()
  const gateway = await startGateway(webSocketSnapshot(upstream.url))
  const sockets = [await openWebSocket(gateway.port), await openWebSocket(gateway.port)]
  const ends = sockets.map(closed)
  const stopped = gateway.stop()
  for (const end of ends)
    expect(await end).toEqual({ code: 1001, reason: 'the gateway is being restarted' })
  expect(await stopped).toEqual({ cut: 0 })
  for (const { frames } of upstream.sockets)
    expect(frames.map(({ payload }) => payload.readUInt16BE())).toEqual([1001])
})

it.each<[string, Partial<TokenLimits>, boolean]>([
  ['other endpoints', { endpoints: [77] }, true],
  ['other methods', { methods: ['POST'] }, true],
  ['other addresses', { client_addresses: { allow: ['192.0.2.0/24'], deny: [] } }, true],
  ['its endpoint, GET and address', { endpoints: [1], methods: ['GET'] }, false],
])('of a token that is limited to %s is looked at again at once', async (_, limits, isClosed) => {
  const upstream = await startWebSocketUpstream()
  const before = webSocketSnapshot(upstream.url, { requires_token: true })
  const gateway = await startGateway(before)
  const socket = await openWebSocket(gateway.port, bearer)
  const end = closed(socket)
  const tokens = before.tokens.map((each) => ({ ...each, limits: { ...noTokenLimits, ...limits } }))
  gateway.swap({ ...before, revision: 2, mark: 'second', tokens })
  if (isClosed) expect(await end).toEqual({ code: 1008, reason: 'access was taken away' })
  else {
    socket.send('still here')
    expect(await nextMessage(socket)).toBe('still here')
  }
})

it('is closed when the configuration no longer allows it, and stays where nothing of it changes', async () => {
  const upstream = await startWebSocketUpstream()
  const before = webSocketSnapshot(upstream.url, { requires_token: true })
  const gateway = await startGateway(before)
  const kept = await openWebSocket(gateway.port, bearer)
  gateway.swap({ ...before, revision: 2, mark: 'second' })
  kept.send('still here')
  expect(await nextMessage(kept)).toBe('still here')
  const end = closed(kept)
  gateway.swap({ ...before, revision: 3, mark: 'third', tokens: [] })
  expect(await end).toEqual({ code: 1008, reason: 'access was taken away' })

  gateway.swap({ ...before, revision: 4, mark: 'fourth' })
  const moved = await openWebSocket(gateway.port, bearer)
  const movedEnd = closed(moved)
  const other = webSocketSnapshot(upstream.url, { requires_token: true, connect_timeout_ms: 4_000 })
  gateway.swap({ ...other, revision: 5, mark: 'fifth' })
  expect(await movedEnd).toEqual({ code: 1012, reason: 'the configuration has changed' })

  const gone = await openWebSocket(gateway.port, bearer)
  const goneEnd = closed(gone)
  gateway.swap(buildSnapshot({ revision: 6, mark: 'sixth', apis: other.apis, endpoints: [] }))
  expect((await goneEnd).code).toBe(1008)
})

it('stays where a draft comes beside its API, changes and goes', async () => {
  const upstream = await startWebSocketUpstream()
  const before = webSocketSnapshot(upstream.url, { requires_token: true })
  const [{ draft: _none, ...api }] = before.apis as [SnapshotApi]
  const gateway = await startGateway(before)
  const socket = await openWebSocket(gateway.port, bearer)
  const drafts = [
    { token_ids: [99], api: { ...api, connect_timeout_ms: 4_000 } },
    { token_ids: [99], api: { ...api, connect_timeout_ms: 5_000 } },
    null,
  ]
  for (const [at, draft] of drafts.entries()) {
    gateway.swap({ ...before, revision: at + 2, mark: `${at}`, apis: [{ ...api, draft }] })
    socket.send(`still here ${at}`)
    expect(await Promise.race([nextMessage(socket), closed(socket)])).toBe(`still here ${at}`)
  }
})

it('stays where the cache of its API is purged', async () => {
  const upstream = await startWebSocketUpstream()
  const before = webSocketSnapshot(upstream.url, { requires_token: true })
  const gateway = await startGateway(before)
  const socket = await openWebSocket(gateway.port, bearer)
  const cache_purges = [{ id: 'one', kind: 'api' as const, value: '' }]
  const apis = before.apis.map((api) => ({ ...api, cache_purges }))
  gateway.swap({ ...before, revision: 2, mark: 'second', apis })
  socket.send('still here')
  expect(await Promise.race([nextMessage(socket), closed(socket)])).toBe('still here')
})

it('of a caller with a JWT stays where a whole configuration says the same of issuers and roles', async () => {
  const upstream = await startWebSocketUpstream()
  const key = makeKey('one')
  const before = {
    ...webSocketSnapshot(upstream.url, { requires_token: true }),
    issuers: [buildIssuer([key])],
  }
  const gateway = await startGateway(before)
  const kept = await openWebSocket(gateway.port, { authorization: `Bearer ${signJwt(key)}` })
  const end = closed(kept)
  for (const revision of [2, 3])
    gateway.swap(structuredClone({ ...before, revision, mark: `m${revision}`, tokens: [] }))
  kept.send('still here')
  expect(await nextMessage(kept)).toBe('still here')
  const issuers = [buildIssuer([makeKey('two')])]
  gateway.swap(structuredClone({ ...before, revision: 4, mark: 'm4', issuers }))
  expect(await end).toEqual({ code: 1012, reason: 'the configuration has changed' })
})

/** A client and an upstream that has not switched yet. */
async function startHeldHandshake() {
  const asked = Promise.withResolvers<() => void>()
  const upstream = await startRecordingUpstream((socket, { headers }) => {
    const accept = webSocketAccept(new Map(headers).get('sec-websocket-key') ?? '')
    asked.resolve(() =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n' +
          `Content-Length: 100\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      ),
    )
  })
  const before = webSocketSnapshot(upstream.url, { requires_token: true })
  const gateway = await startGateway(before)
  const client = new BareClient(gateway.port)
  client.socket.write(handshake(`Authorization: ${bearer.authorization}\r\n`))
  return { before, gateway, client, switchNow: await asked.promise }
}

it('a handshake that was under way when access was taken away is closed once it is open', async () => {
  const { before, gateway, client, switchNow } = await startHeldHandshake()
  gateway.swap({ ...before, revision: 2, mark: 'second', tokens: [] })
  switchNow()
  expect(await client.status()).toBe(101)
  expect(client.text).not.toMatch(/content-length/i)
  await expect.poll(() => client.behind.length).toBeGreaterThan(3)
  expect(client.behind.readUInt16BE(2)).toBe(1008)
})

it('a handshake that was under way when the worker began to stop is closed once it is open', async () => {
  const { gateway, client, switchNow } = await startHeldHandshake()
  const stopped = gateway.stop()
  switchNow()
  expect(await client.status()).toBe(101)
  await expect.poll(() => client.behind.length).toBeGreaterThan(3)
  expect(client.behind.readUInt16BE(2)).toBe(1001)
  client.socket.destroy()
  await stopped
})

it('takes one of the places of its API for as long as it is open, and counts towards its rate', async () => {
  const upstream = await startWebSocketUpstream()
  const gateway = await startGateway(
    webSocketSnapshot(upstream.url, {
      policy: {
        ...noTrafficPolicy,
        max_concurrent: 1,
        rate_limit: { requests: 3, window_seconds: 3_600, per: 'address' },
      },
    }),
    { compilePolicy: createTrafficPolicies().compile },
  )
  const ask = async () => {
    const client = new BareClient(gateway.port)
    client.socket.write(handshake())
    return client.status()
  }
  const first = await openWebSocket(gateway.port)
  expect(await ask()).toBe(503)
  const end = closed(first)
  first.close()
  await end
  await expect.poll(() => gateway.report().in_flight).toBe(0)
  expect(await ask()).toBe(101)
  expect(await ask()).toBe(429)
})

it('speaks to clients over TLS too, and takes a connection to the upstream that served others', async () => {
  const upstream = await startWebSocketUpstream()
  const ticketKeys = randomBytes(48).toString('base64')
  const gateway = await startGateway(webSocketSnapshot(upstream.url), {
    tls: { ...localhostCertificate, ticketKeys },
  })
  const { port } = gateway
  const socket = connect({ port, host: 'localhost', ca: localhostCertificate.cert })
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.write('GET /sales/live HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => received.endsWith('plain')).toBe(true)
  socket.write(handshake())
  await expect.poll(() => received.includes('HTTP/1.1 101 ')).toBe(true)
  socket.write(frameOf(1, Buffer.from('hello'), Buffer.from([1, 2, 3, 4])))
  await expect.poll(() => received.endsWith('\x81\x05hello')).toBe(true)
  expect(only(upstream.sockets).request.headers['x-forwarded-proto']).toBe('https')
})
