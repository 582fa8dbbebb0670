import { createServer, request } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

const part = Buffer.alloc(64 * 1024, 'gatehouse ')

/** A stream of this many bytes, made as they are read. */
function bytes(total: number): Readable {
  let left = total
  return new Readable({
    read() {
      const chunk = part.subarray(0, Math.min(left, part.length))
      left -= chunk.length
      this.push(chunk.length === 0 ? null : chunk)
    },
  })
}

/** Reads to the end and returns how many bytes there were. */
export async function countBytes(stream: AsyncIterable<Buffer>): Promise<number> {
  let total = 0
  for await (const chunk of stream) total += chunk.length
  return total
}

interface HttpUpstream {
  url: string
  close(): Promise<void>
}

/** An upstream on Node's own server. */
export async function startHttpUpstream(
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<HttpUpstream> {
  const server = createServer({ requestTimeout: 0 }, handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Sends a body of this many bytes and resolves with the head of the answer. */
export async function upload(
  url: string,
  total: number,
  headers: OutgoingHttpHeaders = {},
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = request(url, { method: 'POST', headers }, resolve)
  outgoing.on('error', reject)
  bytes(total).pipe(outgoing)
  return promise
}

/** Upstream of the streaming tests: POST counts what comes, GET /down?n sends n bytes. */
export function echoSizes(req: IncomingMessage, res: ServerResponse): void {
  if (req.method === 'POST') {
    countBytes(req).then(
      (total) => res.end(String(total)),
      () => res.destroy(),
    )
    return
  }
  const total = Number(new URL(req.url ?? '', 'http://a').searchParams.get('n'))
  res.writeHead(200, { 'content-length': total })
  bytes(total).pipe(res)
}
