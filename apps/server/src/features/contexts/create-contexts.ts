import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { contextRoutes } from './context-routes.ts'
import { ContextService } from './context-service.ts'

interface ContextsOptions {
  inTransaction: InTransaction
  clock: Clock
  gatewayUrl: string
}

export function createContexts({ inTransaction, clock, gatewayUrl }: ContextsOptions) {
  const service = new ContextService(inTransaction, clock)
  return { service, mountOn: (app: FastifyInstance) => contextRoutes(app, service, gatewayUrl) }
}
