import type { HttpApiDefinition } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Actor } from '../../kernel/caller.ts'
import { checkApiAddress } from './check-address.ts'
import { apiRoutes, toApiRecord } from './api-routes.ts'
import { readUnsavedApi } from './unsaved-api.ts'
import { apiDraftRoutes } from './drafts/api-draft-routes.ts'
import { ApiDraftService } from './drafts/api-draft-service.ts'
import { ApiService, type ApiServiceOptions } from './api-service.ts'

interface ApisOptions extends ApiServiceOptions {
  /** Where clients reach the gateway. */
  gatewayUrl: string
}

export function createApis({ gatewayUrl, ...options }: ApisOptions) {
  const service = new ApiService(options)
  const drafts = new ApiDraftService(options)
  return {
    service,
    /** What a save of this would store. Nothing is stored. */
    readUnsaved: (id: number | null, definition: HttpApiDefinition, actor: Actor) =>
      readUnsavedApi(options, { id, definition, actor }),
    secretsOfDraft: (id: number) => drafts.secretsOf(id),
    /** All APIs, for choice lists of other features. */
    listRecords: async () => (await service.listAll()).map(toApiRecord),
    mountOn: (app: FastifyInstance) => {
      apiRoutes(app, service, {
        check: (url) => checkApiAddress(options.guard, url),
        gatewayUrl,
      })
      apiDraftRoutes(app, drafts)
    },
  }
}
