import type { GatewayRequest, GatewayRequestPage } from '@gatehouse/contract'

/** Requests of the gateway that satisfy the contract; a test names only what it is about. */
export function buildRequest(changes: Partial<GatewayRequest> = {}): GatewayRequest {
  return {
    file: 'gateway-1-2026-06-01.log',
    offset: 100,
    at: '2026-06-01T08:00:00.000Z',
    request_id: 'AAAA-1',
    method: 'GET',
    path: '/shop/orders/7',
    status: 200,
    code: '',
    reason: '',
    detail: '',
    duration_ms: 12.5,
    upstream_ms: 11,
    upstream_status: 200,
    bytes_in: 0,
    bytes_out: 42,
    address: '10.0.0.7',
    endpoint_id: 7,
    endpoint: 'One order',
    api_id: 3,
    api: 'Shop',
    user_id: 5,
    user: 'Till',
    token_id: 9,
    issuer_id: null,
    issuer: null,
    subject: '',
    token: 'till 4',
    is_try: false,
    is_draft: false,
    agent: null,
    ...changes,
  }
}

export const buildRequestPage = (
  rows: GatewayRequest[],
  changes: Partial<GatewayRequestPage> = {},
): GatewayRequestPage => ({
  server: 'tower',
  gateways: [],
  other_servers: [],
  records_all: true,
  token: null,
  rows,
  older: null,
  newest: 'place1',
  looked_back_to: null,
  ...changes,
})
