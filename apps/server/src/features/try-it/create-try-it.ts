import type { FastifyInstance } from 'fastify'
import type { Stores } from '../../stores.ts'
import { tryItRoutes } from './try-it-routes.ts'
import { TryItService, type TryItServiceOptions, type TriedToken } from './try-it-service.ts'

interface TryItOptions extends Omit<TryItServiceOptions, 'record'> {
  stores: Pick<Stores, 'audit'>
}

export function createTryIt({ stores, ...options }: TryItOptions) {
  const service = new TryItService({
    ...options,
    record: (actor, { id, name, token, unsaved }) => {
      const tried = { ...(token && asClient(token)), ...(unsaved && { unsaved }) }
      const after = token || unsaved ? tried : undefined
      return stores.audit.record(actor, {
        action: 'endpoint.try',
        thing: 'endpoint',
        id,
        name,
        after,
      })
    },
  })
  return { service, mountOn: (app: FastifyInstance) => tryItRoutes(app, service) }
}

const asClient = ({ user_name, id, name, ending }: TriedToken) => ({
  tried_as: user_name,
  token_id: id,
  token: name,
  ending,
})
