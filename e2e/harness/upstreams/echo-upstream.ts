import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** An upstream that sends each text of a WebSocket back, and that answers other requests when it is told to. */
export async function runEchoUpstream() {
  let asked = 0
  const firstAsked = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (_request, response) => {
    asked++
    firstAsked.resolve()
    void mayAnswer.promise.then(() => response.end('{}'))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    sockets.push(socket)
    echo(request, socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests that came so far, WebSockets left out. */
    asked: () => asked,
    /** Resolves once the first has come. */
    isAsked: firstAsked.promise,
    answer: () => mayAnswer.resolve(),
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Switches a connection to a WebSocket (RFC 6455 §4.2.2). */
export function acceptWebSocket({ headers }: IncomingMessage, socket: Socket): void {
  const accept = createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.on('error', () => socket.destroy())
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
}

/** Frames of up to 125 bytes that come one at a time (RFC 6455 §5.2). */
function echo(request: IncomingMessage, socket: Socket): void {
  acceptWebSocket(request, socket)
  socket.on('data', (frame: Buffer) => {
    const mask = frame.subarray(2, 6)
    const text = frame.subarray(6).map((byte, at) => byte ^ (mask[at % 4] ?? 0))
    socket.write(Buffer.concat([Buffer.of(0x81, text.length), text]))
  })
}

/** A WebSocket that is open, and what comes back for a text. Rejects where it closes before. */
export async function openEcho(url: string) {
  const socket = new WebSocket(url)
  const closed = new Promise<never>((_, reject) => {
    socket.addEventListener('close', ({ code }) => reject(new Error(`It closed with ${code}.`)))
  })
  closed.catch(() => {})
  await Promise.race([once(socket, 'open'), closed])
  return {
    echo: async (text: string): Promise<string> => {
      const answered = once(socket, 'message') as Promise<[MessageEvent]>
      socket.send(text)
      const [{ data }] = await Promise.race([answered, closed])
      return String(data)
    },
    close: () => socket.close(),
  }
}
