import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { webSocketAccept } from '@gatehouse/http1'
import { onTestFinished } from 'vitest'

/** A frame as it came, its payload unmasked. */
interface ReceivedFrame {
  opcode: number
  isFinal: boolean
  payload: Buffer
}

/** The side of a server on one WebSocket. */
class UpstreamSocket {
  readonly socket: Socket
  readonly request: IncomingMessage
  readonly frames: ReceivedFrame[] = []
  #received = Buffer.alloc(0)
  onFrame: (frame: ReceivedFrame) => void = () => undefined

  constructor(request: IncomingMessage, socket: Socket) {
    this.request = request
    this.socket = socket
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) => this.receive(bytes))
  }

  receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes])
    for (let frame = readFrame(this.#received); frame; frame = readFrame(this.#received)) {
      this.#received = this.#received.subarray(frame.length)
      this.frames.push(frame)
      this.onFrame(frame)
    }
  }

  send(payload: string | Buffer, opcode = 1): boolean {
    return this.socket.write(frameOf(opcode, Buffer.from(payload)))
  }

  close(code: number): void {
    const payload = Buffer.alloc(2)
    payload.writeUInt16BE(code)
    this.send(payload, 8)
  }
}

/** A frame of a server, or of a client where a mask is given. */
export function frameOf(opcode: number, payload: Buffer, mask?: Buffer, first = 0x80): Buffer {
  const { length } = payload
  const bit = mask === undefined ? 0 : 0x80
  let head = Buffer.from([first | opcode, bit | length])
  if (length > 65_535) {
    head = Buffer.alloc(10)
    head.writeUInt8(first | opcode, 0)
    head.writeUInt8(bit | 127, 1)
    head.writeBigUInt64BE(BigInt(length), 2)
  } else if (length > 125) {
    head = Buffer.alloc(4)
    head.writeUInt8(first | opcode, 0)
    head.writeUInt8(bit | 126, 1)
    head.writeUInt16BE(length, 2)
  }
  if (mask === undefined) return Buffer.concat([head, payload])
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))])
}

function readFrame(bytes: Buffer): (ReceivedFrame & { length: number }) | undefined {
  if (bytes.length < 2) return undefined
  const [first = 0, second = 0] = bytes
  const isMasked = second > 127
  const short = second & 127
  const sized = short === 127 ? 10 : short === 126 ? 4 : 2
  const headLength = sized + (isMasked ? 4 : 0)
  if (bytes.length < headLength) return undefined
  const size =
    short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short
  const length = headLength + size
  if (bytes.length < length) return undefined
  const mask = isMasked ? bytes.subarray(sized, headLength) : Buffer.alloc(4)
  const payload = Buffer.from(
    bytes.subarray(headLength, length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)),
  )
  return { opcode: first & 15, isFinal: first > 127, payload, length }
}

/**
 * A server of WebSockets until the test is over. Without `onUpgrade` it takes every one, sends back what it
 * gets, and answers a close frame with the same.
 */
export async function startWebSocketUpstream(
  onSocket: (socket: UpstreamSocket) => void = echo,
  tls?: { key: string; cert: string },
) {
  const sockets: UpstreamSocket[] = []
  const server = tls ? createTlsServer(tls) : createServer()
  server.on('request', (_request, response) => response.end('plain'))
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const opened = new UpstreamSocket(request, socket)
    sockets.push(opened)
    socket.write(switching(request))
    onSocket(opened)
    if (head.length > 0) opened.receive(head)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    for (const { socket } of sockets) socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  return { port, url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, sockets }
}

/** The head with which a server switches. */
function switching(request: IncomingMessage): string {
  const accept = webSocketAccept(String(request.headers['sec-websocket-key']))
  const protocol = request.headers['sec-websocket-protocol']?.split(',')[0]
  return (
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    `Sec-WebSocket-Accept: ${accept}\r\n${protocol ? `Sec-WebSocket-Protocol: ${protocol}\r\n` : ''}\r\n`
  )
}

function echo(socket: UpstreamSocket): void {
  socket.onFrame = ({ opcode, payload }) => {
    if (opcode === 8) {
      socket.send(payload, 8)
      socket.socket.end()
    } else if (opcode < 3) socket.send(payload, opcode)
  }
}
