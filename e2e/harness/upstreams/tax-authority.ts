import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'

export interface TaxAuthority {
  url: string
  /** Bodies that were stored, by path, exactly as they arrived. */
  stored: Map<string, string[]>
  /** While this is set, `/slow` waits. */
  hold(): void
  release(): void
  stop(): Promise<void>
}

/**
 * An authority whose path decides what it does. `/slow` answers once it is released. `/cut` stores the
 * body and drops the answer. `/strict` requires a VAT number. Any other path stores it and answers 201.
 */
export async function runTaxAuthority(): Promise<TaxAuthority> {
  const stored = new Map<string, string[]>()
  let released = Promise.resolve()
  let release = () => {}

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', 'http://authority')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    if (pathname === '/slow') await released
    if (pathname === '/strict' && !body.includes('"vat"'))
      return answer(response, 422, { errors: [{ field: 'vat', message: 'is missing' }] })
    const kept = [...(stored.get(pathname) ?? []), body]
    stored.set(pathname, kept)
    if (pathname === '/cut' && kept.length === 1) return request.socket.destroy()
    return answer(response, 201, { number: `A-${kept.length}`, status: 'ACCEPTED' })
  }

  const server: Server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    handle(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored,
    hold: () => {
      released = new Promise((resolve) => (release = resolve))
    },
    release: () => release(),
    stop: async () => {
      release()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
