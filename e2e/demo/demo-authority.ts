import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An invoice as the authority wants it. */
interface Invoice {
  number: string
  customer: string
  tax_number: string
  total: string
}

export interface DemoServer {
  url: string
  stop(): Promise<void>
}

/**
 * An authority that stands in for a real one. `POST /invoices` files an invoice: 201 with a receipt, 422 without a tax
 * number, 208 for the same invoice again. An invoice whose number ends with `-LOST` is filed too, but its answer never
 * comes. `GET /invoices` lists what was filed, `GET /invoices/{number}` says whether one was.
 */
export function startDemoAuthority(port: number): Promise<DemoServer> {
  const filed = new Map<string, Invoice & { receipt: string }>()

  function file(invoice: Invoice, response: ServerResponse): void {
    if (!invoice.number) return answer(response, 422, refusal('number', 'is missing'))
    if (!invoice.tax_number) return answer(response, 422, refusal('tax_number', 'is missing'))
    const known = filed.get(invoice.number)
    if (known) return answer(response, 208, { status: 'KNOWN', receipt: known.receipt })
    const receipt = `R-${1001 + filed.size}`
    filed.set(invoice.number, { ...invoice, receipt })
    if (invoice.number.endsWith('-LOST')) return void response.socket?.destroy()
    return answer(response, 201, { status: 'ACCEPTED', receipt })
  }

  return listen(port, async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://authority')
    if (request.method === 'POST' && pathname === '/invoices')
      return file(JSON.parse(await bodyOf(request)) as Invoice, response)
    if (pathname === '/invoices') return answer(response, 200, { invoices: [...filed.values()] })
    const number = decodeURIComponent(pathname.replace('/invoices/', ''))
    const found = filed.get(number)
    return found
      ? answer(response, 200, { status: 'ACCEPTED', ...found })
      : answer(response, 404, { status: 'NOT_FOUND' })
  })
}

const refusal = (field: string, message: string) => ({
  status: 'REJECTED',
  errors: [{ field, message }],
})

/** Serves JSON on this port of the loopback address; 0 is any that is free. Rejects where the port is taken. */
export async function listen(
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<DemoServer> {
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    handle(request, response).catch(() => answer(response, 400, { status: 'NOT_READABLE' }))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(`${JSON.stringify(body)}\n`)
}
