import type { FastifyInstance } from 'fastify'
import { imageRoutes } from './image-routes.ts'
import { ImageService } from './image-service.ts'

export function createImages() {
  const service = new ImageService()
  return { service, mountOn: (app: FastifyInstance) => imageRoutes(app, service) }
}
