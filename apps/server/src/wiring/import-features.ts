import type { AppCore, AppOptions } from '../app-core.ts'
import { ApiService } from '../features/apis/api-service.ts'
import {
  fromColumns,
  pathKey,
  toSubmittedEndpoint,
} from '../features/endpoints/endpoint-columns.ts'
import { EndpointService } from '../features/endpoints/endpoint-service.ts'
import { grantEndpoints } from '../features/access/grant-access.ts'
import { createImports } from '../features/imports/create-imports.ts'
import { lockedFor } from '../features/roles/role-service.ts'
import type { Stores } from '../stores.ts'
import { withinTransaction } from './within-transaction.ts'

/** Wires the import of documents: what they make is saved by the services of the screens. */
export function createImportFeature(core: AppCore, { guard, secrets, upstream }: AppOptions) {
  const { stores, inTransaction, clock } = core.common
  return createImports({
    stores,
    inTransaction,
    upstream,
    grantIn: (within, roleId, endpointIds, actor) =>
      grantEndpoints(within, { roleId, chosen: { ids: endpointIds, after: 0 } }, actor, lockedFor),
    pathKey,
    documented: (row) => {
      const { path, summery, description } = fromColumns(row)
      const { parameters, validation } = toSubmittedEndpoint(row)
      return { path, summery, description, parameters, validation }
    },
    submitted: toSubmittedEndpoint,
    saversIn: (within: Stores) => {
      const joined = withinTransaction(within)
      const apis = new ApiService({
        apis: within.apis,
        inTransaction: joined,
        secrets,
        guard,
        clock,
      })
      const endpoints = new EndpointService({
        endpoints: within.endpoints,
        countHolders: within.access.countHolders,
        inTransaction: joined,
        clock,
        // The thread that has read the document has checked them.
        checkValidation: async () => undefined,
      })
      return {
        createApi: (definition, actor) => apis.create(definition, actor),
        createEndpoint: (definition, actor) => endpoints.create(definition, actor),
        updateEndpoint: (id, definition, actor) => endpoints.update(id, definition, actor),
      }
    },
  })
}
