import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as it came over the wire. */
interface RawRequest {
  /** Request line, header fields and body, undecoded. */
  text: string
  /** Its place among all requests that this upstream got, from 1. */
  number: number
  /** Place of the connection that it came over, from 1. */
  connection: number
}

/** An upstream on a bare socket: it may answer anything, at any pace, or nothing. */
interface RawUpstream {
  url: string
  port: number
  requests: string[]
  /** Sockets in the order in which they were accepted, closed ones included. */
  sockets: Socket[]
  nextRequest(): Promise<RawRequest>
  nextConnection(): Promise<Socket>
}

/** Listens on a free loopback port until the test is over. `answer` gets whole requests only. */
export async function startRawUpstream(
  answer: (socket: Socket, request: RawRequest) => void,
): Promise<RawUpstream> {
  const requests: string[] = []
  const sockets: Socket[] = []
  const requestWaiters: ((request: RawRequest) => void)[] = []
  const connectionWaiters: ((socket: Socket) => void)[] = []
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    const connection = sockets.push(socket)
    connectionWaiters.splice(0).forEach((waiter) => waiter(socket))
    // What a client does to the connection is part of the play.
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.end())
    readRequests(socket, (text) => {
      const request = { text, number: requests.push(text), connection }
      answer(socket, request)
      requestWaiters.splice(0).forEach((waiter) => waiter(request))
    })
  })
  const port = await listen(server)
  onTestFinished(async () => {
    sockets.forEach((socket) => socket.destroy())
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    requests,
    sockets,
    nextRequest: () => new Promise((resolve) => requestWaiters.push(resolve)),
    nextConnection: () => new Promise((resolve) => connectionWaiters.push(resolve)),
  }
}

export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address !== null && typeof address === 'object') resolve(address.port)
    })
  })
}

/** A whole answer with the right length. */
export function plainAnswer(body: string, status = '200 OK', ...fields: string[]): string {
  const head = [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...fields]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

function readRequests(socket: Socket, onRequest: (text: string) => void) {
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk
    for (let end = requestEnd(received); end <= received.length; end = requestEnd(received)) {
      const text = received.slice(0, end)
      received = received.slice(end)
      onRequest(text)
    }
  })
}

function requestEnd(received: string): number {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return Infinity
  const length = /^content-length: *(\d+)/im.exec(received.slice(0, headEnd))?.[1] ?? '0'
  return headEnd + 4 + Number(length)
}
