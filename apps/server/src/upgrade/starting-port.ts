import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { errorTable } from '@gatehouse/contract'
import type { Logger } from 'pino'
import { adminPort, portRefusal } from '../http/admin-port.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { Settings } from '../settings/settings.ts'

/** The admin port while the server starts. */
export interface StartingPort {
  /** What is done, as `migration 0123-x (3 of 12)`. */
  tell: (step: string) => void
  /** For Fastify: the server that listens already. It answers with the handler once that is to listen. */
  serverFactory: (handler: RequestListener) => Server
  /** Where the start has failed. */
  close: () => Promise<void>
}

/**
 * Listens on the admin port, and answers every request with 503 and what the start does, until the server serves.
 * Throws a StartError where the port is in use.
 */
export async function openStartingPort(
  log: Logger,
  { host, port, trustedProxies }: Pick<Settings, 'host' | 'port' | 'trustedProxies'>,
): Promise<StartingPort> {
  let step = 'opening the database'
  let answer: RequestListener = (request, response) => refuse(request, response, step)
  const server = adminPort(log, trustedProxies)((request, response) => answer(request, response))
  const listening = once(server, 'listening')
  server.listen({ host, port })
  await listening.catch((error: unknown) => {
    throw portRefusal(error, { host, port })
  })
  return {
    tell: (next) => {
      step = next
    },
    serverFactory: (handler) => {
      const serve = () => {
        answer = handler
        process.nextTick(() => server.emit('listening'))
        return server
      }
      return Object.assign(server, { listen: serve })
    },
    close: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, step: string): void {
  const path = request.url?.split('?')[0] ?? ''
  const isPage = !path.startsWith('/api/') && /text\/html/.test(request.headers.accept ?? '')
  const isHealth = path === '/healthz' || path === '/readyz'
  const { status, message } = errorTable['server.starting']
  const requestId = randomUUID()
  const body = isHealth
    ? { status: 'starting', step }
    : { message, code: 'server.starting', step, request_id: requestId }
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': `${isPage && !isHealth ? 'text/html' : 'application/json'}; charset=utf-8`,
    'cache-control': 'no-store',
    'retry-after': '1',
    'x-request-id': requestId,
  })
  response.end(isPage && !isHealth ? pageOf(step) : JSON.stringify(body))
  // What is sent with it is nobody's.
  request.resume()
}

/** Steps are words of the server: nothing of a client is in them. */
const pageOf = (step: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width">
<title>Gatehouse</title>
<style>:root { color-scheme: light dark } body { font: 1rem/1.5 system-ui, sans-serif; margin: 4rem auto; max-width: 32rem; padding: 0 1rem }</style>
<p>Gatehouse is starting. This page looks again by itself.</p>
<p lang="ar" dir="rtl">يبدأ Gatehouse التشغيل. تُحدَّث هذه الصفحة تلقائيًّا.</p>
<p><code>${step}</code></p>
`
