import { z } from 'zod'
import { isAddressRange } from './address-range.ts'
import { isKeyHeader } from '../../endpoints/header-names.ts'

/** How the clients of a rate limit are told apart. */
export const rateLimitScopes = ['token', 'address', 'endpoint'] as const

/** By what a client is told apart, so that it always gets the same base URL. */
export const canaryStickiness = ['token', 'address', 'header'] as const

export const addressRanges = z.array(z.string().max(50).refine(isAddressRange)).max(200)

export const clientAddresses = z.object({ allow: addressRanges, deny: addressRanges })

const whole = (min: number, max: number) => z.number().int().min(min).max(max)

/**
 * What the gateway does to the traffic of one API beyond forwarding it. Every part is null while it
 * is off, and all are off by default. This is the shape that is stored, shown and published; the form's
 * own checks are made where it is saved.
 */
export const trafficPolicy = z.object({
  /** Repeats a safe method of which no byte was sent, or that was answered 502, 503 or 504. */
  retries: z.object({ attempts: whole(1, 5), backoff_ms: whole(1, 10_000) }).nullable(),
  circuit_breaker: z
    .object({
      /** Opens when at least this share of the calls within the window failed. */
      failure_percent: whole(1, 100),
      window_seconds: whole(1, 600),
      minimum_requests: whole(1, 10_000),
      /** After this time one call is let through as a test. */
      cool_down_seconds: whole(1, 3_600),
    })
    .nullable(),
  /**
   * Which clients are taken by their addresses: none that `deny` holds, and where `allow` is not empty, only
   * those that it holds. Absent in what an earlier release has kept.
   */
  client_addresses: clientAddresses.nullable().default(null),
  /** A header, beside Authorization, in which clients show a personal token. Absent in what an earlier release has kept. */
  api_key: z
    .object({ header: z.string().refine(isKeyHeader) })
    .nullable()
    .default(null),
  /**
   * Calls of endpoints that ask for a token have to be signed (RFC 9421), and count so long, whichever clock is ahead.
   * Absent in what an earlier release has kept.
   */
  signature: z
    .object({ window_seconds: whole(1, 3_600) })
    .nullable()
    .default(null),
  /**
   * Every call shows a client certificate that one of these authorities (PEM) has issued, beside any other proof.
   * Absent in what an earlier release has kept.
   */
  client_certificates: z
    .object({ ca: z.string().max(65_536) })
    .nullable()
    .default(null),
  rate_limit: z
    .object({
      requests: whole(1, 1_000_000),
      window_seconds: whole(1, 86_400),
      per: z.enum(rateLimitScopes),
    })
    .nullable(),
  /** Answers to GET are kept as their `Cache-Control` and `Vary` say (RFC 9111), up to this size in all. */
  cache: z.object({ max_bytes: whole(1_024, 1_073_741_824) }).nullable(),
  max_body_bytes: whole(0, 1_099_511_627_776).nullable(),
  /** Calls under way at once; one more is answered 503 with Retry-After. */
  max_concurrent: whole(1, 100_000).nullable(),
  cors: z
    .object({
      /** `*`, or origins like `https://pos.example.com`. */
      origins: z.array(z.string().max(300)).min(1).max(100),
      headers: z.array(z.string().max(100)).max(100),
      exposed_headers: z.array(z.string().max(100)).max(100),
      allow_credentials: z.boolean(),
      max_age_seconds: whole(0, 86_400),
    })
    .nullable(),
  /** Base URLs beside the API's own; `weight` is what share of the calls each gets. */
  targets: z
    .object({
      own_weight: whole(0, 100),
      others: z
        .array(z.object({ url: z.string().max(2_048), weight: whole(0, 100) }))
        .min(1)
        .max(20),
      health_check: z
        .object({
          path: z.string().max(500),
          interval_seconds: whole(1, 3_600),
          timeout_ms: whole(100, 60_000),
          /** Answers in a row after which a target is taken out, or back in. */
          unhealthy_after: whole(1, 20),
          healthy_after: whole(1, 20),
        })
        .nullable(),
    })
    .nullable(),
  /**
   * One more base URL, which only chosen calls reach: those with this header, those of these tokens, and of the
   * clients this share. Absent in what an earlier release has kept.
   */
  canary: z
    .object({
      url: z.string().max(2_048),
      /** Blank: no header leads there. */
      header_name: z.string().max(100),
      header_value: z.string().max(200),
      token_ids: z.array(z.number().int().positive()).max(100),
      percent: whole(0, 100),
      sticky_by: z.enum(canaryStickiness),
      /** Blank unless the header tells clients apart. */
      sticky_header: z.string().max(100),
    })
    .nullable()
    .default(null),
})
export type TrafficPolicy = z.output<typeof trafficPolicy>

export const noTrafficPolicy: TrafficPolicy = {
  retries: null,
  circuit_breaker: null,
  client_addresses: null,
  api_key: null,
  signature: null,
  client_certificates: null,
  rate_limit: null,
  cache: null,
  max_body_bytes: null,
  max_concurrent: null,
  cors: null,
  targets: null,
  canary: null,
}

/** The parts that mean something where no upstream is called over HTTP: those before the call. */
const procedureParts = [
  'circuit_breaker',
  'client_addresses',
  'api_key',
  'signature',
  'client_certificates',
  'rate_limit',
  'max_body_bytes',
  'max_concurrent',
  'cors',
] as const

/** The policy without the parts that do not apply to a stored procedure. */
export function procedurePolicy(policy: TrafficPolicy): TrafficPolicy {
  const kept = Object.fromEntries(procedureParts.map((part) => [part, policy[part]]))
  return { ...noTrafficPolicy, ...kept }
}

/** The base URLs that it names beside the API's own. */
export const policyUrls = ({ targets, canary }: TrafficPolicy): string[] => [
  ...(targets?.others.map(({ url }) => url) ?? []),
  ...(canary === null ? [] : [canary.url]),
]

const isAllOff = (policy: TrafficPolicy) => Object.values(policy).every((part) => part === null)

/** As it is kept: JSON, or null where every part is off. */
export function writeTrafficPolicy(policy: TrafficPolicy | null): string | null {
  return policy === null || isAllOff(policy) ? null : JSON.stringify(policy)
}

/**
 * Reads what `writeTrafficPolicy` wrote, now or in an earlier release that did not have every part.
 * Throws where it is something else.
 */
export function readTrafficPolicy(stored: string | null): TrafficPolicy {
  if (stored === null) return noTrafficPolicy
  const policy = trafficPolicy.parse({ ...noTrafficPolicy, ...(JSON.parse(stored) as object) })
  if (isAllOff(policy)) throw new Error('A policy that is all off is not kept.')
  return policy
}
