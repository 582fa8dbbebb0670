import type { ApiRecord, SubmittedApi } from '@gatehouse/contract'
import { readStoredPolicy } from '../../publishing/snapshot-api.ts'
import type { ApiRow } from './api-store.ts'

// wire (spec: entities): the definition travels as a JSON string; blank fields are empty strings.
export function toApiRecord(row: ApiRow): ApiRecord {
  return { id: row.id, submitted_data: JSON.stringify(toSubmittedApi(row)) }
}

/** An API as people may see it: everything but its secrets. */
export function toSubmittedApi(row: ApiRow): SubmittedApi {
  return {
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
    db_tls: row.db_tls ?? '',
    db_ca: row.db_ca ?? '',
    has_password: row.password_encrypted !== null,
    has_upstream_token: row.upstream_token_encrypted !== null,
    connect_timeout_ms: row.connect_timeout_ms,
    answer_timeout_ms: row.answer_timeout_ms,
    traffic_policy:
      row.traffic_policy === null ? null : (readStoredPolicy(row.traffic_policy) ?? null),
    context: row.context,
    version: row.version,
  }
}
