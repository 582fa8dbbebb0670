import type { FastifyInstance } from 'fastify'
import type { Stores } from '../../stores.ts'
import { SeenToolLists, type SeenToolsOptions } from './seen-tools.ts'
import { tryItRoutes } from './try-it-routes.ts'
import { UnsavedApiTrials, type UnsavedApiTrialsOptions } from './unsaved-api-trials.ts'
import { TryItService, type TryItServiceOptions, type TriedToken } from './try-it-service.ts'

interface TryItOptions
  extends
    Omit<TryItServiceOptions, 'record'>,
    Omit<UnsavedApiTrialsOptions, 'tryIt'>,
    Pick<SeenToolsOptions, 'getApi'> {
  stores: Pick<Stores, 'audit'>
}

export function createTryIt({ stores, ...options }: TryItOptions) {
  const service = new TryItService({
    ...options,
    record: (actor, { id, name, token, role, unsaved, api }) => {
      const tried = {
        ...(token && asClient(token)),
        ...(role && { tried_as_role: role.name, role_id: role.id }),
        ...(unsaved && { unsaved }),
      }
      if (api) {
        const after = { request: name, endpoint_id: id, ...tried }
        return stores.audit.record(actor, { action: 'api.try', thing: 'api', ...api, after })
      }
      const after = Object.keys(tried).length > 0 ? tried : undefined
      return stores.audit.record(actor, {
        action: 'endpoint.try',
        thing: 'endpoint',
        id,
        name,
        after,
      })
    },
  })
  const seenTools = new SeenToolLists({
    ...options,
    record: (actor, { id, name, role }) => {
      const after = { request: 'tools/list', tried_as_role: role.name, role_id: role.id }
      return stores.audit.record(actor, { action: 'api.try', thing: 'api', id, name, after })
    },
  })
  const unsavedApis = new UnsavedApiTrials({ ...options, tryIt: service })
  return {
    service,
    mountOn: (app: FastifyInstance) =>
      tryItRoutes(app, service, unsavedApis, seenTools, options.gateway),
  }
}

const asClient = ({ user_name, id, name, ending }: TriedToken) => ({
  tried_as: user_name,
  token_id: id,
  token: name,
  ending,
})
