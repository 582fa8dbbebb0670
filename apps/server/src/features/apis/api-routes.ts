import {
  createApi,
  deleteApi,
  editApi,
  listApis,
  updateApi,
  type ApiRecord,
  type SubmittedApi,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { ApiService } from './api-service.ts'
import type { ApiRow } from './api-store.ts'

export function apiRoutes(app: FastifyInstance, apis: ApiService): void {
  mount(app, listApis, async ({ query }) =>
    toPage(await apis.list(query), query, (row) => ({
      ...toApiRecord(row),
      endpoints_count: row.endpoints_count,
    })),
  )
  mount(app, createApi, async ({ body }) => toApiRecord(await apis.create(body)))
  mount(app, editApi, async ({ params }) => [toApiRecord(await apis.get(params.id))] as [ApiRecord])
  mount(app, updateApi, async ({ params, body }) => toApiRecord(await apis.update(params.id, body)))
  mount(app, deleteApi, ({ params }) => apis.remove(params.id))
}

// wire: spec §3: the definition travels as a JSON string; blank fields are empty strings.
export function toApiRecord(row: ApiRow): ApiRecord {
  const submitted: SubmittedApi = {
    name: row.name,
    api_protocol: row.api_protocol,
    authentication: row.authentication === 1,
    auth_type: row.auth_type ?? '',
    gateway_status: row.gateway_status,
    api_access: row.api_access,
    api_url: row.api_url ?? '',
    test_api_url: row.test_api_url ?? '',
    driver: row.driver ?? '',
    host: row.host ?? '',
    port: row.port,
    database: row.database ?? '',
    username: row.username ?? '',
    func_name: row.func_name ?? '',
    has_password: row.password_encrypted !== null,
    has_upstream_token: row.upstream_token_encrypted !== null,
    connect_timeout_ms: row.connect_timeout_ms,
    answer_timeout_ms: row.answer_timeout_ms,
    context: row.context,
    version: row.version,
  }
  return { id: row.id, submitted_data: JSON.stringify(submitted) }
}
