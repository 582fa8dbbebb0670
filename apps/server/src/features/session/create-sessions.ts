import type { FastifyInstance } from 'fastify'
import { installGuard } from '../../kernel/guard.ts'
import type { Stores } from '../../stores.ts'
import { sessionRoutes } from './session-routes.ts'
import { SessionService, type SessionServiceOptions } from './session-service.ts'

interface SessionsOptions extends SessionServiceOptions {
  stores: Stores
}

export function createSessions(options: SessionsOptions) {
  const { stores, check } = options
  const service = new SessionService(options)
  return {
    service,
    /** Makes the app refuse callers without a session. Call it before any route is mounted. */
    guard: (app: FastifyInstance) =>
      installGuard(app, {
        byToken: (token) => service.authenticate(token),
        byDownloadCookie: (value) => service.authenticateDownload(value),
        again: (caller) => check.again(stores, caller),
      }),
    mountOn: (app: FastifyInstance) => sessionRoutes(app, service),
  }
}
