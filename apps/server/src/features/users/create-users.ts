import type { FastifyInstance } from 'fastify'
import { userRoutes } from './user-routes.ts'
import { UserService, type UserServiceOptions } from './user-service.ts'

export function createUsers(options: UserServiceOptions) {
  const service = new UserService(options)
  return { service, mountOn: (app: FastifyInstance) => userRoutes(app, service) }
}
