import {
  noTrafficPolicy,
  snapshotApi,
  snapshotEndpoint,
  snapshotFormat,
} from '@gatehouse/contract/gateway'
import type { StoredCredential } from '@gatehouse/contract/credential'
import type {
  ConfigSnapshot,
  SnapshotApi,
  SnapshotEndpoint,
  SnapshotToken,
} from '@gatehouse/contract/gateway'
import { createHash } from 'node:crypto'

/** Two tokens in their form; what a checksum says matters to leak scanners only. */
export const clientToken = `ghp_${'c'.repeat(49)}`
export const adminToken = `ghp_${'a'.repeat(49)}`
export const clientRole = 2
const superAdminRole = 1

export const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Calls carry this token. */
export const bearerCredential = (token: string): StoredCredential => ({
  kind: 'bearer',
  token,
  scheme: 'Bearer',
  refused_when: null,
})

/** Fields that came after the first release have their default: an older snapshot lacks them too. */
export function buildApi(parts: Partial<SnapshotApi> = {}): SnapshotApi {
  const usual = snapshotApi.parse({
    id: 1,
    name: 'Sales',
    context: 'sales',
    is_active: true,
    is_internal: false,
    requires_token: false,
    base_url: null,
    procedure: null,
    connect_timeout_ms: 5_000,
    answer_timeout_ms: 20_000,
    policy: noTrafficPolicy,
  })
  return { ...usual, ...parts }
}

export function buildEndpoint(parts: Partial<SnapshotEndpoint> = {}): SnapshotEndpoint {
  const usual = snapshotEndpoint.parse({
    id: 1,
    api_id: 1,
    name: 'Orders',
    method: 'GET',
    path: '/orders',
    is_active: true,
    requires_token: false,
    custom_output: null,
    is_read_only: false,
    is_repeatable: true,
  })
  return { ...usual, ...parts }
}

export function buildToken(parts: Partial<SnapshotToken> = {}): SnapshotToken {
  return {
    id: 1,
    digest: digestOf(clientToken),
    user_id: 4,
    expires_at: '2999-01-01T00:00:00.000Z',
    role_ids: [clientRole],
    signing_secret: null,
    limits: null,
    ...parts,
  }
}

/** Without more, one open API `sales` with GET `/orders`, and a token for each of two roles. */
export function buildSnapshot(parts: Partial<ConfigSnapshot> = {}): ConfigSnapshot {
  return {
    format: snapshotFormat,
    revision: 1,
    mark: 'first',
    built_at: '2026-11-21T00:00:00.000Z',
    apis: [buildApi()],
    endpoints: [buildEndpoint()],
    tokens: [
      buildToken(),
      buildToken({ id: 2, digest: digestOf(adminToken), role_ids: [superAdminRole] }),
    ],
    issuers: [],
    access: [{ role_id: clientRole, endpoint_ids: [1] }],
    super_admin_role_id: superAdminRole,
    ...parts,
  }
}
