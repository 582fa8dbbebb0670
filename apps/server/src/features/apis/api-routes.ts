import {
  changeApis,
  checkAddress,
  checkStoredAddress,
  createApi,
  deleteApi,
  editApi,
  listApis,
  listApiTags,
  purgeCache,
  updateApi,
  type AddressCheck,
  type ApiRecord,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import { toSubmittedApi } from './api-columns.ts'
import type { ApiService } from './api-service.ts'
import type { ApiRow } from './api-store.ts'

export function apiRoutes(
  app: FastifyInstance,
  apis: ApiService,
  { check, gatewayUrl }: { check: (url: string) => Promise<AddressCheck>; gatewayUrl: string },
): void {
  mount(app, listApis, async ({ query }) =>
    toPage(await apis.list(query), query, (row) => ({
      ...toApiRecord(row),
      endpoints_count: row.endpoints_count,
      fault: apis.faultOf(row),
      drift: row.drift,
    })),
  )
  mount(app, listApiTags, () => apis.listTags())
  mount(app, createApi, async ({ body }, context) => toApiRecord(await apis.create(body, context)))
  mount(app, changeApis, ({ body }, context) => apis.change(body, context))
  mount(app, editApi, async ({ params }) => {
    const api = await apis.get(params.id)
    const gateway_url = `${gatewayUrl}/${api.context}`
    return [{ ...toApiRecord(api), fault: apis.faultOf(api), gateway_url }] as [ApiRecord]
  })
  mount(app, updateApi, async ({ params, body }, context) =>
    toApiRecord(await apis.update(params.id, body, context)),
  )
  mount(app, purgeCache, ({ params, body }, context) => apis.purgeCache(params.id, body, context))
  mount(app, checkAddress, ({ body }) => check(body.url))
  mount(app, checkStoredAddress, async ({ params, body }) => {
    await apis.get(params.id)
    return check(body.url)
  })
  mount(app, deleteApi, ({ params }, context) => apis.remove(params.id, context))
}

// wire (spec: entities): the definition travels as a JSON string; blank fields are empty strings.
export function toApiRecord(row: ApiRow): ApiRecord {
  return { id: row.id, submitted_data: JSON.stringify(toSubmittedApi(row)) }
}
