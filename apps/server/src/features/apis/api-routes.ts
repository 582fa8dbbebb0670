import {
  createApi,
  deleteApi,
  editApi,
  listApis,
  updateApi,
  type ApiRecord,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { ApiService } from './api-service.ts'
import { toApiRecord } from './submitted-api.ts'

export function apiRoutes(app: FastifyInstance, apis: ApiService): void {
  mount(app, listApis, async ({ query }) =>
    toPage(await apis.list(query), query, (row) => ({
      ...toApiRecord(row),
      endpoints_count: row.endpoints_count,
      fault: apis.faultOf(row),
      drift: row.drift,
    })),
  )
  mount(app, createApi, async ({ body }, context) => toApiRecord(await apis.create(body, context)))
  mount(app, editApi, async ({ params }) => {
    const api = await apis.get(params.id)
    return [{ ...toApiRecord(api), fault: apis.faultOf(api) }] as [ApiRecord]
  })
  mount(app, updateApi, async ({ params, body }, context) =>
    toApiRecord(await apis.update(params.id, body, context)),
  )
  mount(app, deleteApi, ({ params }, context) => apis.remove(params.id, context))
}
