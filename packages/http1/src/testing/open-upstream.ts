import { createServer } from 'node:net'
import type { Socket } from 'node:net'

/** One request as a plain reader of RFC 9112 understands what came. */
export interface RecordedRequest {
  requestLine: string
  headers: [string, string][]
  body: string
}

export interface RecordingUpstream {
  url: string
  port: number
  /** Whole requests, in their order. */
  requests: RecordedRequest[]
  /** Bytes that were no request to this reader; none, ever. */
  stray: string[]
  sockets: Socket[]
  close(): Promise<void>
}

export type Answering = (socket: Socket, request: RecordedRequest) => void

export const answerOk: Answering = (socket) =>
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')

/**
 * An upstream on bare sockets that writes down what reached it and reads it by its own strict rules:
 * what two readers could understand differently shows here as a request too many, or as stray bytes.
 */
export async function openRecordingUpstream(
  answer: Answering = answerOk,
): Promise<RecordingUpstream> {
  const requests: RecordedRequest[] = []
  const stray: string[] = []
  const sockets: Socket[] = []
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.push(socket)
    let received = ''
    socket.on('error', () => socket.destroy())
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      for (let read = readRequest(received); read; read = readRequest(received)) {
        received = received.slice(read.length)
        requests.push(read.request)
        answer(socket, read.request)
      }
    })
    socket.on('close', () => {
      if (received !== '') stray.push(received)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  async function close(): Promise<void> {
    sockets.forEach((socket) => socket.destroy())
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, port, requests, stray, sockets, close }
}

function readRequest(text: string): { request: RecordedRequest; length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [requestLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  const isChunked = headers.some(([name]) => name === 'transfer-encoding')
  const length = Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0)
  const rest = text.slice(headEnd + 4)
  const body = isChunked ? dechunk(rest) : { text: rest.slice(0, length), length }
  if (!body || rest.length < body.length) return undefined
  const request = { requestLine, headers, body: body.text }
  return { request, length: headEnd + 4 + body.length }
}

function dechunk(rest: string): { text: string; length: number } | undefined {
  let text = ''
  let at = 0
  for (;;) {
    const size = /^([\da-f]+)\r\n/i.exec(rest.slice(at, at + 20))
    if (!size) return undefined
    const bytes = Number.parseInt(size[1] ?? '', 16)
    const start = at + size[0].length
    if (rest.length < start + bytes + 2) return undefined
    text += rest.slice(start, start + bytes)
    at = start + bytes + 2
    if (bytes === 0) return { text, length: at }
  }
}
