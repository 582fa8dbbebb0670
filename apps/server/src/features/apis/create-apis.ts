import type { FastifyInstance } from 'fastify'
import { checkApiAddress } from './check-address.ts'
import { apiRoutes, toApiRecord } from './api-routes.ts'
import { ApiService, type ApiServiceOptions } from './api-service.ts'

export function createApis(options: ApiServiceOptions) {
  const service = new ApiService(options)
  return {
    service,
    /** All APIs, for choice lists of other features. */
    listRecords: async () => (await service.listAll()).map(toApiRecord),
    mountOn: (app: FastifyInstance) =>
      apiRoutes(app, service, (url) => checkApiAddress(options.guard, url)),
  }
}
