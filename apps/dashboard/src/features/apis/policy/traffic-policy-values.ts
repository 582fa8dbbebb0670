import type { TrafficPolicy } from '@gatehouse/contract'
import { formatExactBytes } from '../../../lib/format/format-bytes.ts'
import type { ApiInput } from '../api-queries.ts'

/** The fields of all parts, on or off, under their wire names and as typed. */
export interface TrafficPolicyValues {
  client_addresses: { allow: string[]; deny: string[] }
  api_key: { header: string }
  signature: { window_seconds: string }
  client_certificates: { ca: string }
  rate_limit: { requests: string; window_seconds: string; per: string }
  max_concurrent: string
  max_body_bytes: string
  retries: { attempts: string; backoff_ms: string }
  circuit_breaker: {
    failure_percent: string
    window_seconds: string
    minimum_requests: string
    cool_down_seconds: string
  }
  cache: { max_bytes: string }
  cors: {
    origins: string[]
    headers: string[]
    exposed_headers: string[]
    allow_credentials: boolean
    max_age_seconds: string
  }
  targets: {
    own_weight: string
    others: { url: string; weight: string }[]
    health_check: {
      path: string
      interval_seconds: string
      timeout_ms: string
      unhealthy_after: string
      healthy_after: string
    }
  }
  canary: {
    url: string
    header_name: string
    header_value: string
    token_ids: string[]
    percent: string
    sticky_by: string
    sticky_header: string
  }
}

export type PolicyPartName = keyof TrafficPolicyValues
/** Which parts are on; the health check is a part of the base URLs. */
export type PolicySwitches = Record<PolicyPartName | 'health_check', boolean>

const allOff: PolicySwitches = {
  client_addresses: false,
  api_key: false,
  signature: false,
  client_certificates: false,
  rate_limit: false,
  max_concurrent: false,
  max_body_bytes: false,
  retries: false,
  circuit_breaker: false,
  cache: false,
  cors: false,
  targets: false,
  canary: false,
  health_check: false,
}

export const newTarget = { url: '', weight: '1' }

/** What the fields hold when a part is switched on for the first time. */
const suggestedPolicy: TrafficPolicyValues = {
  client_addresses: { allow: [], deny: [] },
  api_key: { header: 'X-API-Key' },
  signature: { window_seconds: '60' },
  client_certificates: { ca: '' },
  rate_limit: { requests: '100', window_seconds: '60', per: 'token' },
  max_concurrent: '50',
  max_body_bytes: '10 MiB',
  retries: { attempts: '2', backoff_ms: '100' },
  circuit_breaker: {
    failure_percent: '50',
    window_seconds: '30',
    minimum_requests: '10',
    cool_down_seconds: '15',
  },
  cache: { max_bytes: '16 MiB' },
  cors: {
    origins: [],
    headers: ['Authorization', 'Content-Type'],
    exposed_headers: [],
    allow_credentials: false,
    max_age_seconds: '600',
  },
  targets: {
    own_weight: '1',
    others: [newTarget],
    health_check: {
      path: '/health',
      interval_seconds: '10',
      timeout_ms: '2000',
      unhealthy_after: '3',
      healthy_after: '2',
    },
  },
  canary: {
    url: '',
    header_name: '',
    header_value: '',
    token_ids: [],
    percent: '0',
    sticky_by: 'token',
    sticky_header: '',
  },
}

type Texts<T> = { [K in keyof T]: T[K] extends number ? string : T[K] }

/** Numbers as they are typed; the rest as it is. */
function texts<T extends object>(part: T): Texts<T> {
  const entries = Object.entries(part).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ])
  return Object.fromEntries(entries) as Texts<T>
}

export function toPolicyValues(policy: TrafficPolicy | null): {
  traffic_policy: TrafficPolicyValues
  traffic_policy_on: PolicySwitches
} {
  if (policy === null) return { traffic_policy: suggestedPolicy, traffic_policy_on: allOff }
  const { rate_limit, max_concurrent, max_body_bytes, retries, cache, cors, targets } = policy
  const { circuit_breaker, client_addresses, api_key, signature, canary } = policy
  const { client_certificates } = policy
  const suggested = suggestedPolicy
  const health = targets?.health_check ?? null
  return {
    traffic_policy: {
      client_addresses: client_addresses ?? suggested.client_addresses,
      api_key: api_key ?? suggested.api_key,
      signature: signature ? texts(signature) : suggested.signature,
      client_certificates: client_certificates ?? suggested.client_certificates,
      rate_limit: rate_limit ? texts(rate_limit) : suggested.rate_limit,
      max_concurrent: String(max_concurrent ?? suggested.max_concurrent),
      max_body_bytes:
        max_body_bytes === null ? suggested.max_body_bytes : formatExactBytes(max_body_bytes),
      retries: retries ? texts(retries) : suggested.retries,
      circuit_breaker: circuit_breaker ? texts(circuit_breaker) : suggested.circuit_breaker,
      cache: cache ? { max_bytes: formatExactBytes(cache.max_bytes) } : suggested.cache,
      cors: cors ? texts(cors) : suggested.cors,
      targets: {
        own_weight: String(targets?.own_weight ?? suggested.targets.own_weight),
        others: targets?.others.map(texts) ?? suggested.targets.others,
        health_check: health ? texts(health) : suggested.targets.health_check,
      },
      canary: canary
        ? { ...texts(canary), token_ids: canary.token_ids.map(String) }
        : suggested.canary,
    },
    traffic_policy_on: {
      client_addresses: client_addresses !== null,
      api_key: api_key !== null,
      signature: signature !== null,
      client_certificates: client_certificates !== null,
      rate_limit: rate_limit !== null,
      max_concurrent: max_concurrent !== null,
      max_body_bytes: max_body_bytes !== null,
      retries: retries !== null,
      circuit_breaker: circuit_breaker !== null,
      cache: cache !== null,
      cors: cors !== null,
      targets: targets !== null,
      canary: canary !== null,
      health_check: health !== null,
    },
  }
}

type PolicyInput = NonNullable<ApiInput['traffic_policy']>

/** Only what is on is sent. */
export function toPolicyInput(values: TrafficPolicyValues, on: PolicySwitches): PolicyInput | null {
  if (!partNames.some((name) => on[name])) return null
  const parts = partNames.map((name) => [name, on[name] ? values[name] : null])
  const sent = Object.fromEntries(parts) as PolicyInput
  const { targets } = values
  const health_check = on.health_check ? targets.health_check : null
  return { ...sent, targets: on.targets ? { ...targets, health_check } : null }
}

const partNames = Object.keys(suggestedPolicy) as PolicyPartName[]
