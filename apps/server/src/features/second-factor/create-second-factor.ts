import type { FastifyInstance } from 'fastify'
import { secondFactorRoutes } from './second-factor-routes.ts'
import { SecondFactorService, type SecondFactorOptions } from './second-factor-service.ts'

export function createSecondFactor(options: SecondFactorOptions) {
  const service = new SecondFactorService(options)
  return { service, mountOn: (app: FastifyInstance) => secondFactorRoutes(app, service) }
}
