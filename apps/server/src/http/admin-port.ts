import { createServer, type RequestListener, type Server } from 'node:http'
import { AddressCounts, createAddressRanges, socketBudget } from '@gatehouse/upstream/http'
import type { Logger } from 'pino'
import { StartError } from '../settings/data-dir.ts'
import { uploadBounds } from '../kernel/http/body-bounds.ts'
import { answerRaw, isAnsweredRaw } from './raw-answer.ts'
import { boundBodies } from './slow-bodies.ts'

/** Connections of one client address (IPv6: of one /64). A browser opens six. */
const perAddressMax = 512
const reportEveryMs = 60_000

const options = {
  // A query string carries the body of a fetch (spec: calls), which needs more than Node's 16 KiB.
  maxHeaderSize: 96 * 1024,
  headersTimeout: 20_000,
  // Bodies have their own bounds (slow-bodies.ts). This one is above all of them.
  requestTimeout: uploadBounds.maxMs + 60_000,
  keepAliveTimeout: 30_000,
  // A missing Host is refused in the shape of every refusal (refuse-odd-heads.ts).
  requireHostHeader: false,
}

/**
 * Makes the servers of the admin port. Their connections stay below the descriptor limit, and one
 * address can't take them all; addresses in `trustedProxies` bring the connections of many clients and
 * are not bounded. The log says at most once a minute how many were refused.
 */
export function adminPort(
  log: Logger,
  trustedProxies: readonly string[],
): (handler: RequestListener) => Server {
  const budget = socketBudget()
  const trusted = createAddressRanges(trustedProxies)
  const addresses = new AddressCounts(
    Math.min(perAddressMax, Math.ceil(budget.clients / 2)),
    (address) => trusted.has(address),
  )
  const noteRefused = countRefused(log)
  return (handler) => {
    const server = createServer(options, (request, response) => {
      // What completes a request after its refusal makes it no request again.
      if (isAnsweredRaw(request.socket)) request.resume()
      else handler(request, response)
    })
    boundBodies(server)
    if (budget.clients !== Infinity) server.maxConnections = budget.clients
    server.on('drop', noteRefused)
    server.on('connection', (socket) => {
      if (addresses.enter(socket)) return
      noteRefused()
      answerRaw(socket, 'server.connections', '503 Service Unavailable')
    })
    return server
  }
}

/** What the operator reads where the port can't be opened because it is in use; any other error as it is. */
export function portRefusal(
  cause: unknown,
  { host, port }: { host: string; port: number },
): unknown {
  if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') return cause
  return new StartError(`Port ${port} on ${host} is in use. Stop what uses it, or set PORT.`, {
    cause,
  })
}

function countRefused(log: Logger): () => void {
  let refused = 0
  let reportedAtMs = -Infinity
  return () => {
    refused++
    const nowMs = performance.now()
    if (nowMs - reportedAtMs < reportEveryMs) return
    log.warn({ code: 'server.connections', refused }, 'connections refused')
    refused = 0
    reportedAtMs = nowMs
  }
}
