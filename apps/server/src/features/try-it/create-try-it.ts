import type { FastifyInstance } from 'fastify'
import type { Stores } from '../../stores.ts'
import { tryItRoutes } from './try-it-routes.ts'
import { TryItService, type TryItServiceOptions } from './try-it-service.ts'

interface TryItOptions extends Omit<TryItServiceOptions, 'record'> {
  stores: Pick<Stores, 'audit'>
}

export function createTryIt({ stores, ...options }: TryItOptions) {
  const service = new TryItService({
    ...options,
    record: (actor, id, name) =>
      stores.audit.record(actor, { action: 'endpoint.try', thing: 'endpoint', id, name }),
  })
  return { service, mountOn: (app: FastifyInstance) => tryItRoutes(app, service) }
}
