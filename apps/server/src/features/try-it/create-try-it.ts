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
    record: (actor, endpoint, token) =>
      stores.audit.record(actor, {
        action: 'endpoint.try',
        thing: 'endpoint',
        ...endpoint,
        after: token && {
          tried_as: token.user_name,
          token_id: token.id,
          token: token.name,
          ending: token.ending,
        },
      }),
  })
  return { service, mountOn: (app: FastifyInstance) => tryItRoutes(app, service) }
}
