import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../testing/test-gateway.ts'
import {
  BareClient,
  bounds,
  expectedAccept,
  handshake,
  handshakeKey,
  webSocketPath,
  webSocketSnapshot,
} from '../testing/web-socket-client.ts'
import { frameOf, startWebSocketUpstream } from '../testing/web-socket-upstream.ts'

const mask = Buffer.from([1, 2, 3, 4])
const hello = frameOf(1, Buffer.from('hello'), mask)

/** An upstream that does as it is told with the bytes that come, until the test is over. */
async function startBareUpstream(onBytes: (socket: Socket, received: string) => void) {
  const sockets: Socket[] = []
  const received: string[] = []
  const server = createServer((socket) => {
    const at = sockets.push(socket) - 1
    received[at] = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) => {
      received[at] += bytes.toString('latin1')
      onBytes(socket, received[at] ?? '')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, received }
}

async function startWith(onBytes: (socket: Socket, received: string) => void, api: object = {}) {
  const upstream = await startBareUpstream(onBytes)
  const gateway = await startGateway(webSocketSnapshot(upstream.url, api))
  return { upstream, gateway, client: new BareClient(gateway.port) }
}

/** Once, to the first bytes that come. */
function says(text: string) {
  const answered = new Set<Socket>()
  return (socket: Socket): void => {
    if (!answered.has(socket)) socket.write(text, 'latin1')
    answered.add(socket)
  }
}

const switched = (accept = expectedAccept, fields = '') =>
  `HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${fields}\r\n`

const handshakeWith = (replaced: string, by: string) => handshake().replace(replaced, by)

it.each([
  [
    'another method',
    handshakeWith('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 0\r\n\r\n'),
  ],
  ['HTTP/1.0', handshakeWith('HTTP/1.1', 'HTTP/1.0')],
  ['no Connection: upgrade', handshakeWith('Connection: Upgrade', 'Connection: keep-alive')],
  ['another protocol', handshakeWith('Upgrade: websocket', 'Upgrade: h2c')],
  ['two protocols', handshakeWith('Upgrade: websocket', 'Upgrade: websocket, h2c')],
  ['Upgrade twice', handshake('Upgrade: websocket\r\n')],
  ['another version', handshakeWith('Version: 13', 'Version: 8')],
  ['no version', handshakeWith('Sec-WebSocket-Version: 13\r\n', '')],
  ['the version twice', handshake('Sec-WebSocket-Version: 13\r\n')],
  ['no key', handshakeWith(`Sec-WebSocket-Key: ${handshakeKey}\r\n`, '')],
  ['two keys', handshake(`Sec-WebSocket-Key: ${handshakeKey}\r\n`)],
  ['a short key', handshakeWith(handshakeKey, 'c2hvcnQ=')],
  ['a key that is not Base64', handshakeWith(handshakeKey, 'dGhlIHNhbXBsZSBub25!ZQ==')],
  ['a body', handshake('Content-Length: 5\r\n')],
  ['a body in chunks', handshake('Transfer-Encoding: chunked\r\n')],
])('a handshake with %s is refused, and nothing behind it is read', async (_name, text) => {
  const { upstream, gateway, client } = await startWith(says(switched()))
  client.socket.write(`${text}hello${handshake()}`, 'latin1')
  expect(await client.status()).toBe(400)
  await client.ended
  expect(client.text).toContain('client.upgrade')
  expect(client.text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect(upstream.received).toEqual([])
  expect(gateway.report().in_flight).toBe(0)
})

it('what a client sends before the switch waits for it', async () => {
  const { upstream, client } = await startWith(() => undefined)
  client.socket.write(Buffer.concat([Buffer.from(handshake()), hello]))
  await expect.poll(() => upstream.received[0]?.endsWith('\r\n\r\n')).toBe(true)
  upstream.sockets[0]?.write(switched())
  expect(await client.status()).toBe(101)
  await expect
    .poll(() => upstream.received[0]?.endsWith(`\r\n\r\n${hello.toString('latin1')}`))
    .toBe(true)
})

it('what a client sends behind a handshake that the upstream refuses reaches nobody', async () => {
  const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain'
  const { upstream, client } = await startWith(says(plain))
  const smuggled = `GET ${webSocketPath} HTTP/1.1\r\nHost: a\r\n\r\n`
  client.socket.write(handshake() + smuggled)
  expect(await client.status()).toBe(200)
  await client.ended
  expect(client.behind.toString()).toBe('plain')
  expect(client.text).toContain('Connection: close')
  expect(upstream.received).toHaveLength(1)
  expect(upstream.received[0]?.match(/GET /g)).toHaveLength(1)
})

it.each([
  ['an Accept for another key', switched('bm90IHRoZSByaWdodCBvbmUgYXQgYWxs')],
  ['no Accept', 'HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
  ['two of them', switched(expectedAccept, `Sec-WebSocket-Accept: ${expectedAccept}\r\n`)],
  ['another protocol', switched().replace('websocket', 'h2c')],
  ['no Connection: upgrade', switched().replace('Connection: Upgrade\r\n', '')],
  ['a frame in place of an answer', '\x81\x05hello'],
])('an upstream that answers %s is not believed', async (_name, answer) => {
  const { upstream, gateway, client } = await startWith(says(answer))
  client.socket.write(handshake())
  expect(await client.status()).toBe(502)
  expect(client.text).toContain('upstream.protocol')
  await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true)
  expect(gateway.report().in_flight).toBe(0)
})

it('an upstream that hangs is given up', async () => {
  const { client } = await startWith(() => undefined, { answer_timeout_ms: 100 })
  client.socket.write(handshake())
  expect(await client.status()).toBe(504)
})

it('frames that come with the switch reach the client behind it', async () => {
  const { client } = await startWith(says(`${switched()}\x81\x02hi`))
  client.socket.write(handshake())
  expect(await client.status()).toBe(101)
  await expect.poll(() => client.behind.toString('latin1')).toBe('\x81\x02hi')
})

it('a client that leaves before the switch ends the call', async () => {
  const { upstream, gateway, client } = await startWith(() => undefined)
  client.socket.write(handshake())
  await expect.poll(() => upstream.received[0]).toBeDefined()
  client.socket.destroy()
  await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true)
  await expect.poll(() => gateway.report().in_flight).toBe(0)
})

it.each(['client', 'upstream'] as const)(
  'when the %s ends without a close frame, all ends',
  async (who) => {
    const { upstream, gateway, client } = await startWith(says(switched()))
    client.socket.write(handshake())
    expect(await client.status()).toBe(101)
    if (who === 'client') client.socket.end()
    else upstream.sockets[0]?.end()
    await client.ended
    await expect.poll(() => upstream.sockets[0]?.readableEnded).toBe(true)
    client.socket.destroy()
    const codes: Record<string, number> = {}
    await expect
      .poll(() => {
        const report = gateway.report()
        Object.assign(codes, report.codes)
        return report.in_flight
      })
      .toBe(0)
    expect(codes).toEqual({ [who === 'client' ? 'client.left' : 'upstream.cut']: 1 })
  },
)

const tooLarge = bounds.max_message_bytes + 1
const sized = (length: number, first: number, bit: number) => {
  const head = Buffer.alloc(10)
  head.set([first, bit | 127])
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}
const half = Buffer.alloc(bounds.max_message_bytes / 2 + 1)

it.each([
  ['a message that is too large', Buffer.concat([sized(tooLarge, 0x82, 0x80), mask]), 1009],
  ['a length beyond all numbers', Buffer.concat([sized(2 ** 62, 0x82, 0x80), mask]), 1009],
  [
    'two frames that are too large together',
    Buffer.concat([frameOf(2, half, mask, 0), frameOf(0, half, mask)]),
    1009,
  ],
  ['a frame without a mask', frameOf(1, Buffer.from('hello')), 1002],
  ['a continuation of nothing', frameOf(0, Buffer.from('hello'), mask), 1002],
  ['a ping that is too large', frameOf(9, Buffer.alloc(126), mask), 1002],
  ['a close frame of one byte', frameOf(8, Buffer.from([3]), mask), 1002],
  [
    'a close frame with a code that no frame may hold',
    frameOf(8, Buffer.from([3, 237]), mask),
    1002,
  ],
  ['a frame of no known kind', frameOf(3, Buffer.from('hello'), mask), 1002],
])('%s of a client does not pass, and closes both sides', async (_name, bytes, code) => {
  const upstream = await startWebSocketUpstream()
  const gateway = await startGateway(webSocketSnapshot(upstream.url))
  const client = new BareClient(gateway.port)
  client.socket.write(handshake())
  expect(await client.status()).toBe(101)
  client.socket.write(bytes)
  await client.ended
  expect(client.behind.includes(Buffer.from([code >> 8, code & 255]))).toBe(true)
  await expect
    .poll(() => upstream.sockets[0]?.frames.filter(({ opcode }) => opcode === 8).length)
    .toBe(1)
  const passed = upstream.sockets[0]?.frames.filter(({ isFinal, opcode }) => isFinal && opcode < 3)
  expect(passed).toEqual([])
})

it('a masked frame of an upstream does not pass', async () => {
  const { client } = await startWith(says(switched() + hello.toString('latin1')))
  client.socket.write(handshake())
  await client.ended
  expect(client.behind.subarray(2, 4).readUInt16BE()).toBe(1001)
})

it('a frame whose head comes byte by byte passes as it is', async () => {
  const { upstream, client } = await startWith(says(switched()))
  client.socket.write(handshake())
  expect(await client.status()).toBe(101)
  for (const byte of hello) {
    client.socket.write(Buffer.from([byte]))
    await new Promise(setImmediate)
  }
  await expect.poll(() => upstream.received[0]?.endsWith(hello.toString('latin1'))).toBe(true)
})

const streamBytes = 64 * 1024 * 1024

it('a client that does not read holds its upstream back, and gets everything once it reads', async () => {
  const frame = frameOf(2, Buffer.alloc(64 * 1024))
  let sent = 0
  const upstream = await startWebSocketUpstream(({ socket }) => {
    const send = () => {
      while (sent < streamBytes) {
        sent += frame.length
        if (!socket.write(frame)) return
      }
    }
    socket.on('drain', send)
    send()
  })
  const gateway = await startGateway(webSocketSnapshot(upstream.url))
  const client = new BareClient(gateway.port)
  client.socket.removeAllListeners('data')
  client.socket.pause()
  client.socket.write(handshake())
  let before = -1
  while (sent < streamBytes && before !== sent) {
    before = sent
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  // What the system buffers on both connections, and little of ours.
  expect(sent).toBeLessThan(streamBytes / 2)
  let received = 0
  client.socket.on('data', (bytes: Buffer) => (received += bytes.length))
  client.socket.resume()
  await expect.poll(() => received).toBeGreaterThanOrEqual(streamBytes)
  expect(sent).toBeGreaterThanOrEqual(streamBytes)
})
