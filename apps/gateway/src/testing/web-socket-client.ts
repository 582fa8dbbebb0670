import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'
import { webSocketAccept } from '@gatehouse/http1'
import { onTestFinished } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from './build-snapshot.ts'
import type { SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'

export const webSocketPath = '/sales/live'
export const handshakeKey = 'dGhlIHNhbXBsZSBub25jZQ=='
export const bounds = { idle_seconds: 60, life_seconds: null, max_message_bytes: 1_048_576 }

/** One API with GET `/live`, which takes WebSockets. */
export function webSocketSnapshot(
  url: string,
  api: Partial<SnapshotApi> = {},
  endpoint: Partial<SnapshotEndpoint> = {},
) {
  return buildSnapshot({
    apis: [buildApi({ base_url: url, ...api })],
    endpoints: [buildEndpoint({ path: '/live', web_socket: bounds, ...endpoint })],
  })
}

/** Node's own client, once it is open. */
export async function openWebSocket(
  port: number,
  headers: Record<string, string> = {},
): Promise<WebSocket> {
  const options: object = { headers }
  const socket = new WebSocket(`ws://127.0.0.1:${port}${webSocketPath}`, options)
  onTestFinished(() => socket.close())
  socket.binaryType = 'arraybuffer'
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('The WebSocket was not opened.')))
  })
  return socket
}

export async function nextMessage(socket: WebSocket): Promise<unknown> {
  const [event] = (await once(socket, 'message')) as [MessageEvent]
  return event.data
}

export async function closed(socket: WebSocket): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }))
  })
}

export const handshake = (fields = '') =>
  `GET ${webSocketPath} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${handshakeKey}\r\n${fields}\r\n`

/** A client on a bare socket that collects what it gets. */
export class BareClient {
  readonly socket: Socket
  bytes = Buffer.alloc(0)
  readonly ended: Promise<void>

  /** `tls`: what it shows and trusts; plain unless given. */
  constructor(port: number, tls: ConnectionOptions | null = null) {
    this.socket =
      tls === null
        ? connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
        : connectSecurely({ port, host: 'localhost', ...tls })
    onTestFinished(() => void this.socket.destroy())
    this.socket.on('error', () => undefined)
    this.socket.on('data', (bytes: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, bytes])
    })
    this.ended = new Promise((resolve) => {
      this.socket.once('end', () => resolve())
      this.socket.once('close', () => resolve())
    })
  }

  get text(): string {
    return this.bytes.toString('latin1')
  }

  /** Status of the answer, once its head is here. */
  async status(): Promise<number> {
    while (!this.text.includes('\r\n\r\n') && !this.socket.readableEnded && !this.socket.destroyed)
      await Promise.race([once(this.socket, 'data'), this.ended])
    return Number(/^HTTP\/1.1 (\d{3})/.exec(this.text)?.[1] ?? 0)
  }

  /** The code of the close frame, once it has come as the first frame. */
  async closeCode(): Promise<number> {
    while (this.behind.length < 4) await once(this.socket, 'data')
    return this.behind[0] === 0x88 ? this.behind.readUInt16BE(2) : 0
  }

  /** What came behind the head. */
  get behind(): Buffer {
    return this.bytes.subarray(this.text.indexOf('\r\n\r\n') + 4)
  }
}

export const expectedAccept = webSocketAccept(handshakeKey)
