import { connect, type Socket } from 'node:net'

interface RawRequest {
  method: string
  url: string
  token?: string | undefined
  type: string
  /** What the head promises. */
  length: number
  /** What is sent of it. */
  parts: readonly (string | Buffer)[]
}

/** A connection that has sent a request, or a part of one, and what it has received. */
export interface RawExchange {
  socket: Socket
  /** The status of its first answer. Rejects where the connection ends without one. */
  status: Promise<number>
  /** Resolves once this many answers have come. Rejects as `status`. */
  answers: (count: number) => Promise<number[]>
}

/** Sends the head and the parts. The connection stays open. */
export function sendRaw(port: number, request: RawRequest): RawExchange {
  const { method, url, token, type, length, parts } = request
  const socket = connect(port, '127.0.0.1')
  const answers = answersOf(socket)
  const fields = [
    'host: 127.0.0.1',
    `idempotency-key: ${crypto.randomUUID()}`,
    `content-type: ${type}`,
    `content-length: ${length}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
  ]
  socket.write(`${method} ${url} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`)
  for (const part of parts) socket.write(part)
  const status = answers(1).then(([first]) => first!)
  // A client that goes away does not look.
  status.catch(() => {})
  return { socket, status, answers }
}

function answersOf(socket: Socket) {
  let text = ''
  let waiting: (() => void)[] = []
  const look = () => {
    const all = waiting
    waiting = []
    for (const each of all) each()
  }
  socket
    .on('error', () => {})
    .on('close', look)
    .on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      look()
    })
  const statuses = () =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return async (count: number) => {
    while (statuses().length < count) {
      if (socket.destroyed) throw new Error(`The connection ended after: ${text.slice(0, 200)}`)
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    return statuses()
  }
}
