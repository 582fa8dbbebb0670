import {
  isReservedContext,
  listContexts,
  updateContext,
  type ContextRecord,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { ContextService } from './context-service.ts'

type ApiWithEndpoints = Awaited<ReturnType<ContextService['update']>>

export function contextRoutes(
  app: FastifyInstance,
  contexts: ContextService,
  gatewayUrl: string,
): void {
  const toContextRecord = (api: ApiWithEndpoints): ContextRecord => ({
    id: api.id,
    name: api.name,
    context: api.context,
    is_reserved: isReservedContext(api.context),
    gateway_status: api.gateway_status,
    api_access: api.api_access,
    authentication: api.authentication === 1,
    endpoints_count: api.endpoints_count,
    endpoints: api.endpoints.map((endpoint) => ({
      id: endpoint.id,
      summery: endpoint.summary,
      method_type: endpoint.method_type,
      status: endpoint.status,
      path: endpoint.path,
      authentication: endpoint.authentication,
      url: `${gatewayUrl}/${api.context}${endpoint.path}`,
    })),
  })
  mount(app, listContexts, async ({ query }) =>
    toPage(await contexts.list(query), query, toContextRecord),
  )
  mount(app, updateContext, async ({ params, body }, context) =>
    toContextRecord(await contexts.update(params.id, body.context, context)),
  )
}
