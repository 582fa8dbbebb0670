import type { FastifyInstance } from 'fastify'
import { sessionRoutes } from './session-routes.ts'
import { SessionService, type SessionServiceOptions } from './session-service.ts'

export function createSessions(options: SessionServiceOptions) {
  const service = new SessionService(options)
  return {
    service,
    mountOn: (app: FastifyInstance) => sessionRoutes(app, service),
  }
}
