import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { userRoutes } from './user-routes.ts'
import { UserService, type ConfirmOwn } from './user-service.ts'

interface UsersOptions {
  inTransaction: InTransaction
  clock: Clock
  confirmOwn: ConfirmOwn
}

export function createUsers({ inTransaction, clock, confirmOwn }: UsersOptions) {
  const service = new UserService(inTransaction, clock, confirmOwn)
  return { service, mountOn: (app: FastifyInstance) => userRoutes(app, service) }
}
