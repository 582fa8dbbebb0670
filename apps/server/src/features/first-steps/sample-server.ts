import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sampleHost } from '@gatehouse/contract'
import { sampleAnswer } from './sample-answers.ts'

const bodyMaxBytes = 65_536
const connectionsMax = 64
const arrivalMaxMs = 10_000

/** The sample service: a listener on loopback of its own, which is not among those of the product. */
export class SampleServer {
  #server: Server | undefined

  /** Undefined while it is closed. */
  get port(): number | undefined {
    return (this.#server?.address() as AddressInfo | null | undefined)?.port
  }

  /** Listens on loopback; 0 is any free port. Rejects where the port is in use. Does nothing while it is open. */
  async open(port: number): Promise<number> {
    if (this.port !== undefined) return this.port
    const server = createServer(
      { requestTimeout: arrivalMaxMs, headersTimeout: arrivalMaxMs },
      (request, response) => void answer(request, response),
    )
    server.maxConnections = connectionsMax
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, sampleHost, resolve)
    })
    server.unref()
    this.#server = server
    return (server.address() as AddressInfo).port
  }

  /** Cuts off what is under way: nobody depends on a sample. */
  async close(): Promise<void> {
    const server = this.#server
    if (!server) return
    this.#server = undefined
    server.closeAllConnections()
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '/', headers } = request
  const body = await readBody(request).catch(() => undefined)
  const { status, body: found } =
    body === undefined
      ? { status: 413, body: { message: 'The sample service reads 64 KiB at most.' } }
      : sampleAnswer({ method, url, headers, body })
  const text = JSON.stringify(found, null, 2)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(body === undefined ? { connection: 'close' } : {}),
  })
  response.end(method === 'HEAD' ? undefined : text)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bodyMaxBytes) throw new RangeError('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
