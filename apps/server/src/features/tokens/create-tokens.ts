import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { InTransaction } from '../../stores.ts'
import { signingRoutes, tokenRoutes } from './token-routes.ts'
import { TokenLimitService } from './token-limit-service.ts'
import { TokenSigningService } from './token-signing-service.ts'
import { TokenService } from './token-service.ts'

export function createTokens(inTransaction: InTransaction, clock: Clock, secrets: SecretBox) {
  const service = new TokenService(inTransaction, clock)
  const limits = new TokenLimitService(inTransaction, clock)
  const signing = new TokenSigningService({ inTransaction, clock, secrets })
  return {
    service,
    mountOn(app: FastifyInstance) {
      tokenRoutes(app, service, limits, clock)
      signingRoutes(app, signing)
    },
  }
}
