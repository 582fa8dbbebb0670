import type { FastifyInstance } from 'fastify'
import type { InTransaction } from '../../stores.ts'
import { roleRoutes } from './role-routes.ts'
import { lockedFor, RoleService } from './role-service.ts'

export function createRoles(inTransaction: InTransaction) {
  const service = new RoleService(inTransaction)
  return { service, lockedFor, mountOn: (app: FastifyInstance) => roleRoutes(app, service) }
}
