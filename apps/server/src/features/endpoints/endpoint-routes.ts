import {
  changeEndpoints,
  createEndpoint,
  deleteEndpoint,
  editEndpoint,
  endpointForm,
  listApiTools,
  listEndpoints,
  listEndpointTags,
  updateEndpoint,
  type ApiRecord,
  type EndpointRecord,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import { toSubmittedEndpoint } from './endpoint-columns.ts'
import type { EndpointService } from './endpoint-service.ts'
import type { EndpointWithApi } from './endpoint-store.ts'

/** `listApis` is the choice list of APIs, which another feature owns. */
export function endpointRoutes(
  app: FastifyInstance,
  endpoints: EndpointService,
  listApis: () => Promise<ApiRecord[]>,
): void {
  mount(app, listEndpoints, async ({ query }) =>
    toPage(await endpoints.list(query), query, toEndpointRecord),
  )
  mount(app, listEndpointTags, () => endpoints.listTags())
  mount(app, listApiTools, ({ params }) => endpoints.listToolsOf(params.id))
  mount(app, endpointForm, async () => [await listApis()] as [ApiRecord[]])
  mount(app, createEndpoint, async ({ body }, context) =>
    toEndpointRecord(await endpoints.create(body, context)),
  )
  mount(app, changeEndpoints, ({ body }, context) => endpoints.change(body, context))
  mount(app, editEndpoint, async ({ params }) => {
    const endpoint = toEndpointRecord(await endpoints.get(params.id))
    const access_count = await endpoints.countHolders(params.id)
    return [{ ...endpoint, access_count }, await listApis()] as [EndpointRecord, ApiRecord[]]
  })
  mount(app, updateEndpoint, async ({ params, body }, context) => {
    const endpoint = await endpoints.update(params.id, body, context)
    return { ...toEndpointRecord(endpoint), access_cleared: endpoint.rolesCleared }
  })
  mount(app, deleteEndpoint, ({ params }, context) => endpoints.remove(params.id, context))
}

function toEndpointRecord(row: EndpointWithApi): EndpointRecord {
  return {
    ...toSubmittedEndpoint(row),
    id: row.id,
    api: { id: row.api_id, name: row.api_name, context: row.api_context },
    version: row.version,
  }
}
