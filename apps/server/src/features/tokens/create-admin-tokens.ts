import type { FastifyInstance } from 'fastify'
import { adminTokenRoutes } from './admin-token-routes.ts'
import { AdminTokenService, type AdminTokenOptions } from './admin-token-service.ts'

export function createAdminTokens(options: AdminTokenOptions) {
  const service = new AdminTokenService(options)
  return { mountOn: (app: FastifyInstance) => adminTokenRoutes(app, service, options.clock) }
}
