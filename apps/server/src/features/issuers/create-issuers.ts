import type { FastifyInstance } from 'fastify'
import { issuerRoutes } from './issuer-routes.ts'
import { IssuerService } from './issuer-service.ts'
import { KeyKeeper, type KeyKeeperOptions } from './key-keeper.ts'

/** Wires the issuers whose JWTs callers of the gateway may show. */
export function createIssuers(options: KeyKeeperOptions) {
  const keeper = new KeyKeeper(options)
  const service = new IssuerService({ ...options, keeper })
  return { keeper, service, mountOn: (app: FastifyInstance) => issuerRoutes(app, service) }
}
