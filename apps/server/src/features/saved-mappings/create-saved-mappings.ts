import type { FastifyInstance } from 'fastify'
import { savedMappingRoutes } from './saved-mapping-routes.ts'
import { SavedMappingService, type SavedMappingServiceOptions } from './saved-mapping-service.ts'

export function createSavedMappings(options: SavedMappingServiceOptions) {
  const service = new SavedMappingService(options)
  return { service, mountOn: (app: FastifyInstance) => savedMappingRoutes(app, service) }
}
