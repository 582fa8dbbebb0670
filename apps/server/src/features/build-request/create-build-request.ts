import type { FastifyInstance } from 'fastify'
import { buildRequestRoutes } from './build-request-routes.ts'
import { BuildRequestService, type BuildRequestServiceOptions } from './build-request-service.ts'

export function createBuildRequest(options: BuildRequestServiceOptions) {
  const service = new BuildRequestService(options)
  return { service, mountOn: (app: FastifyInstance) => buildRequestRoutes(app, service) }
}
