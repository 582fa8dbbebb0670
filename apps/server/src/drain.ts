import type { Server } from 'node:http'
import { setInterval } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'

const drainMs = 30_000
/** Longer than a request takes to arrive that was sent before its client could know of the end. */
const lameDuckMs = 300
const lookEveryMs = 20

/** Lets requests in flight finish, then closes; after 30 s what is left is cut off. */
export async function drain(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMs)
  await announceEnd(app.server)
  await app.close()
  clearTimeout(cut)
}

/**
 * Answers for a moment with `Connection: close` (RFC 9112 §9.6). A connection that is closed while it is kept
 * alive may have a request under way, and its client can't tell whether it was carried out.
 */
async function announceEnd(server: Server): Promise<void> {
  server.prependListener('request', (_, response) => (response.shouldKeepAlive = false))
  const count = promisify(server.getConnections.bind(server))
  const untilMs = performance.now() + lameDuckMs
  if ((await count()) === 0) return
  for await (const _ of setInterval(lookEveryMs))
    if (performance.now() >= untilMs || (await count()) === 0) return
}
