import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { tokenRoutes } from './token-routes.ts'
import { TokenLimitService } from './token-limit-service.ts'
import { TokenService } from './token-service.ts'

export function createTokens(inTransaction: InTransaction, clock: Clock) {
  const service = new TokenService(inTransaction, clock)
  const limits = new TokenLimitService(inTransaction, clock)
  return { service, mountOn: (app: FastifyInstance) => tokenRoutes(app, service, limits, clock) }
}
