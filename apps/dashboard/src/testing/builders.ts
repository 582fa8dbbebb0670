import type {
  ApiListRow,
  ContextRecord,
  EndpointRecord,
  SessionUser,
  SubmittedApi,
} from '@gatehouse/contract'
import { permissions } from '@gatehouse/contract/permissions'
import { defaultRunSettings } from '@gatehouse/contract/run-profiles'

/** Records that satisfy the contract; a test names only what it is about. */
export function buildUser(changes: Partial<SessionUser> = {}): SessionUser {
  return {
    id: 1,
    name: 'Ada Admin',
    email: 'ada@example.com',
    username: 'ada',
    roles: [{ id: 1, name: 'Super Admin' }],
    role: 'Super Admin',
    permissions: [...permissions],
    ...changes,
  }
}

export function buildApi(changes: Partial<SubmittedApi> = {}): SubmittedApi {
  return {
    name: 'Orders',
    api_protocol: 'http',
    authentication: false,
    auth_type: '',
    gateway_status: 'active',
    api_access: 'internally',
    offer_to_agents: false,
    document_register: 'Orders',
    api_url: 'https://orders.example.com',
    test_api_url: '',
    driver: '',
    host: '',
    port: null,
    database: '',
    username: '',
    func_name: '',
    db_tls: '',
    db_ca: '',
    has_password: false,
    has_upstream_token: false,
    client_authorities: [],
    credential: null,
    test_credential: null,
    tls: null,
    static_headers: [],
    tags: [],
    connect_timeout_ms: null,
    answer_timeout_ms: null,
    traffic_policy: null,
    context: 'orders',
    version: 3,
    ...changes,
  }
}

export const buildApiRecord = (id: number, changes: Partial<SubmittedApi> = {}) => ({
  id,
  submitted_data: JSON.stringify(buildApi(changes)),
})

export function buildApiRow(
  id: number,
  changes: Partial<SubmittedApi> = {},
  endpoints_count = 0,
): ApiListRow {
  return { ...buildApiRecord(id, changes), endpoints_count, drift: null, fault: null }
}

export function buildEndpoint(changes: Partial<EndpointRecord> = {}): EndpointRecord {
  return {
    id: 7,
    status: 'active',
    description: 'One order, by its number',
    summery: 'One order',
    path: '/orders/{id}',
    method_type: 'get',
    api: { id: 1, name: 'Orders', context: 'orders' },
    api_id: 1,
    enable_custom_output: 0,
    custom_output: '',
    authentication: 0,
    auth_type: '',
    static_headers: [],
    parameters: [],
    validation: null,
    transformation: null,
    web_socket: null,
    agent_offer: 'as_api',
    tool_name: '',
    tool_description: '',
    agent_release_hours: null,
    answer_timeout_ms: null,
    tags: [],
    run_settings: defaultRunSettings,
    version: 2,
    ...changes,
  }
}

export function buildContext(changes: Partial<ContextRecord> = {}): ContextRecord {
  return {
    id: 1,
    name: 'Orders',
    context: 'orders',
    is_reserved: false,
    gateway_status: 'active',
    api_access: 'internally',
    authentication: false,
    endpoints_count: 1,
    endpoints: [
      {
        id: 7,
        summery: 'One order',
        method_type: 'get',
        status: 'active',
        path: '/orders/{id}',
        authentication: 0,
        url: 'http://localhost:8080/orders/orders/{id}',
      },
    ],
    ...changes,
  }
}

/** One page of a list; `total` rows in all. */
export function buildPage<Row>(data: Row[], total = data.length, page = 1) {
  return [
    {
      data,
      per_page: 10,
      total,
      current_page: page,
      last_page: Math.max(1, Math.ceil(total / 10)),
    },
  ] as [{ data: Row[]; per_page: number; total: number; current_page: number; last_page: number }]
}
