import type { FastifyInstance } from 'fastify'
import { checkApiAddress } from './check-address.ts'
import { apiRoutes, toApiRecord } from './api-routes.ts'
import { ApiService, type ApiServiceOptions } from './api-service.ts'

interface ApisOptions extends ApiServiceOptions {
  /** Where clients reach the gateway. */
  gatewayUrl: string
}

export function createApis({ gatewayUrl, ...options }: ApisOptions) {
  const service = new ApiService(options)
  return {
    service,
    /** All APIs, for choice lists of other features. */
    listRecords: async () => (await service.listAll()).map(toApiRecord),
    mountOn: (app: FastifyInstance) =>
      apiRoutes(app, service, {
        check: (url) => checkApiAddress(options.guard, url),
        gatewayUrl,
      }),
  }
}
