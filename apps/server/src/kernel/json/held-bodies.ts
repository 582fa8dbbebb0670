import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'

/** Smaller bodies are not counted: the bound of connections bounds them. */
const countedBytes = 65_536
/** Four of the largest bodies that a route takes. */
const userMaxBytes = 48 * 1024 * 1024
const allMaxBytes = 4 * userMaxBytes
const userMaxWaiting = 64
const usualLimitBytes = 1024 * 1024

interface Body {
  user: number | undefined
  bytes: number
  /** Absent once it is held. */
  admit?: () => void
}

/**
 * Bounds the bodies that are held at the same time, by their announced length: those of one user, and all together.
 * Each takes several times its length while it is parsed. A further one waits before it is read; 64 of a user may
 * wait, and the next is refused with a 429.
 */
export function boundHeldBodies(app: FastifyInstance): void {
  const bodies = new Set<Body>()
  const bytesOf = (fits: (body: Body) => boolean) =>
    bodies.values().reduce((sum, body) => (!body.admit && fits(body) ? sum + body.bytes : sum), 0)
  const hasRoom = ({ user, bytes }: Body) =>
    bytesOf(() => true) + bytes <= allMaxBytes &&
    bytesOf((body) => body.user === user) + bytes <= userMaxBytes
  const leave = (gone: Body) => {
    bodies.delete(gone)
    gone.admit?.()
    for (const body of bodies) {
      if (!body.admit || !hasRoom(body)) continue
      const { admit } = body
      delete body.admit
      admit()
    }
  }
  app.addHook('preParsing', async (request, reply) => {
    const bytes = announcedBytes(request)
    if (bytes <= countedBytes) return
    const body: Body = { user: request.caller?.user.id, bytes }
    const isWaiting = !hasRoom(body)
    const waiting = [...bodies].filter(({ admit, user }) => admit && user === body.user)
    if (isWaiting && waiting.length >= userMaxWaiting)
      throw new AppError('server.busy', { retryAfterSeconds: 2 })
    const admitted = Promise.withResolvers<void>()
    if (isWaiting) body.admit = admitted.resolve
    bodies.add(body)
    reply.raw.once('close', () => leave(body))
    if (isWaiting) await admitted.promise
  })
}

/** A body without a length may have as much as the route takes; a longer one is refused before it is held. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  const limit = routeOptions.bodyLimit ?? usualLimitBytes
  if (headers['transfer-encoding'] !== undefined) return limit
  const bytes = Number(headers['content-length'] ?? 0)
  return bytes > limit ? 0 : bytes
}
