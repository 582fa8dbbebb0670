import { z } from 'zod'
import { isAddressRange } from './address-range.ts'
import { baseUrlProblem } from '../base-url.ts'
import { isKeyHeader } from '../../endpoints/header-names.ts'
import { acrossFields } from '../../kernel/across-fields.ts'
import { choice, flag, requiredText, strictFields, text } from '../../kernel/fields.ts'
import { pemCertificates } from '../sign-in/pem-certificates.ts'
import {
  offOr,
  requiredInteger,
  requiredSize,
  textList,
  textsIfGiven,
} from './traffic-policy-fields.ts'
import { canaryStickiness, rateLimitScopes } from './traffic-policy.ts'

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/

/** What is wrong with an origin that a browser may name, or undefined. `*` stands for any. */
export function originProblem(value: string): string | undefined {
  if (value === '*') return undefined
  const url = URL.parse(value)
  const isWeb = /^https?:$/.test(url?.protocol ?? '')
  // A pattern would be taken for a name, and match nothing.
  const isOrigin = isWeb && url?.origin === value && !value.includes('*')
  return isOrigin
    ? undefined
    : `${value} is not an origin: write it like https://pos.example.com, in lower case and without a path.`
}

const origins = textList('origins', 100).superRefine((items, context) => {
  if (items.length === 0) {
    context.addIssue({ code: 'custom', message: 'The origins field is required.' })
  }
  const problem = items.map(originProblem).find(Boolean)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

const headerNames = (label: string) =>
  textList(label, 100).superRefine((items, context) => {
    const wrong = items.find((item) => !fieldName.test(item) || item === '*')
    if (wrong === undefined) return
    context.addIssue({ code: 'custom', message: `${wrong} is not the name of a header.` })
  })

/** Addresses and ranges, 200 at most. Undefined where they are absent. */
export const addressesIfGiven = (label: string) =>
  textsIfGiven(label, 200).superRefine((items, context) => {
    const wrong = items?.find((item) => !isAddressRange(item))
    if (wrong === undefined) return
    const message = `${wrong} is not an address or a range like 203.0.113.0/24 or fd00::/8.`
    context.addIssue({ code: 'custom', message })
  })

const addressList = (label: string) => addressesIfGiven(label).transform((items) => items ?? [])

export const clientAddressesInput = strictFields({
  allow: addressList('allowed addresses'),
  deny: addressList('denied addresses'),
}).superRefine(
  ...acrossFields<{ allow: string[]; deny: string[] }>(({ allow, deny }, context) => {
    if (allow?.length !== 0 || deny?.length !== 0) return
    const message = 'Name an address that is allowed, or one that is denied.'
    context.addIssue({ code: 'custom', path: ['allow'], message })
  }),
)

const apiKey = strictFields({
  header: requiredText(64, 'header').refine((name) => name === '' || isKeyHeader(name), {
    error: 'Use a name of letters, digits and dashes that has no other meaning, like X-API-Key.',
  }),
})

const cors = strictFields({
  origins,
  headers: headerNames('allowed headers'),
  exposed_headers: headerNames('exposed headers'),
  allow_credentials: flag,
  max_age_seconds: requiredInteger('time that browsers keep the answer', 0, 86_400),
}).superRefine(({ origins, allow_credentials }, context) => {
  if (!allow_credentials || !origins.includes('*')) return
  context.addIssue({
    code: 'custom',
    path: ['allow_credentials'],
    message: 'Credentials need origins that are named one by one: * is not enough.',
  })
})

const healthPath = requiredText(500, 'path').superRefine((value, context) => {
  const isPath = /^(\/|(\/[A-Za-z0-9\-._~!$&'()*+,;=:@]+)+\/?)$/.test(value)
  if (value === '' || (isPath && !/\/\.{1,2}(\/|$)/.test(value))) return
  context.addIssue({
    code: 'custom',
    message: 'The path must start with / and may hold no query, like /health.',
  })
})

const healthCheck = strictFields({
  path: healthPath,
  interval_seconds: requiredInteger('interval', 1, 3_600),
  timeout_ms: requiredInteger('time-out', 100, 60_000),
  unhealthy_after: requiredInteger('number of failures', 1, 20),
  healthy_after: requiredInteger('number of successes', 1, 20),
})

const baseUrl = requiredText(2_048, 'base URL').superRefine((value, context) => {
  const problem = value === '' ? undefined : baseUrlProblem(value, 'base URL')
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

const otherTarget = strictFields({
  url: baseUrl,
  weight: requiredInteger('weight', 0, 100),
})

const targets = strictFields({
  own_weight: requiredInteger('weight', 0, 100),
  others: z
    .array(otherTarget, { error: 'The other base URLs must be a list.' })
    .min(1, { error: 'Add at least one other base URL.' })
    .max(20, { error: 'There may be 20 other base URLs at most.' }),
  health_check: offOr(healthCheck),
}).superRefine(({ own_weight, others }, context) => {
  const seen = new Set<string>()
  for (const [at, { url }] of others.entries()) {
    const key = URL.parse(url)?.href ?? url
    if (seen.has(key)) {
      const message = 'This base URL is in the list already.'
      context.addIssue({ code: 'custom', path: ['others', at, 'url'], message })
    }
    seen.add(key)
  }
  if (own_weight > 0 || others.some(({ weight }) => weight > 0)) return
  context.addIssue({
    code: 'custom',
    path: ['own_weight'],
    message: 'At least one base URL needs a weight above 0.',
  })
})

const optionalName = (label: string) =>
  text(100, label).superRefine((value, context) => {
    if (value === '' || fieldName.test(value)) return
    context.addIssue({ code: 'custom', message: `${value} is not the name of a header.` })
  })

const canary = strictFields({
  url: baseUrl,
  header_name: optionalName('header'),
  header_value: text(200, 'value'),
  token_ids: z
    .array(z.coerce.number().int().positive(), { error: 'The tokens must be a list of ids.' })
    .max(100, { error: 'There may be 100 tokens at most.' }),
  percent: requiredInteger('share', 0, 100),
  sticky_by: choice(canaryStickiness, 'kind of client'),
  sticky_header: optionalName('header of clients'),
}).superRefine((given, context) => {
  const fail = (field: keyof typeof given, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  const { header_name, header_value, token_ids, percent, sticky_by, sticky_header } = given
  if (header_name !== '' && header_value === '')
    fail('header_value', 'The value field is required with a header.')
  if (sticky_by === 'header' && sticky_header === '')
    fail('sticky_header', 'The header of clients field is required.')
  if (header_name === '' && token_ids.length === 0 && percent === 0)
    fail('percent', 'Name a header, a token or a share above 0.')
})

/**
 * A traffic policy as the form sends it: numbers and sizes as typed, parts that are off null, blank
 * or absent. Its output has the shape of `trafficPolicy`; each problem names its own field. A misspelt part
 * is refused: dropped, it would leave open what it was meant to close.
 */
export const trafficPolicyInput = strictFields({
  retries: offOr(
    strictFields({
      attempts: requiredInteger('number of retries', 1, 5),
      backoff_ms: requiredInteger('pause', 1, 10_000),
    }),
  ),
  circuit_breaker: offOr(
    strictFields({
      failure_percent: requiredInteger('share of failures', 1, 100),
      window_seconds: requiredInteger('window', 1, 600),
      minimum_requests: requiredInteger('minimum of requests', 1, 10_000),
      cool_down_seconds: requiredInteger('cool-down', 1, 3_600),
    }),
  ),
  client_addresses: offOr(clientAddressesInput),
  api_key: offOr(apiKey),
  signature: offOr(
    strictFields({ window_seconds: requiredInteger('time that a signature counts', 1, 3_600) }),
  ),
  client_certificates: offOr(
    strictFields({
      ca: text(65_536, 'authorities', { isMultiline: true })
        .transform((value) => value.trim())
        .refine((value) => pemCertificates.test(value), {
          error: 'The authorities must be PEM text that begins with -----BEGIN CERTIFICATE-----.',
        }),
    }),
  ),
  rate_limit: offOr(
    strictFields({
      requests: requiredInteger('number of requests', 1, 1_000_000),
      window_seconds: requiredInteger('window', 1, 86_400),
      per: choice(rateLimitScopes, 'scope'),
    }),
  ),
  cache: offOr(
    strictFields({ max_bytes: requiredSize('cache size', 1_024, 1_073_741_824, '1 KiB to 1 GiB') }),
  ),
  max_body_bytes: offOr(requiredSize('body size', 0, 1_099_511_627_776, '0 to 1 TiB')),
  max_concurrent: offOr(requiredInteger('number of requests at once', 1, 100_000)),
  cors: offOr(cors),
  targets: offOr(targets),
  canary: offOr(canary),
})

/** Problems of a policy that names the API's own base URL among the others. The input may still be anything. */
export function ownUrlIssues({ api_url, traffic_policy }: Record<string, unknown>) {
  const policy = traffic_policy as { targets?: { others?: unknown } } | null | undefined
  const others = policy?.targets?.others
  const href = typeof api_url === 'string' ? URL.parse(api_url)?.href : undefined
  if (href === undefined || !Array.isArray(others)) return []
  return others.flatMap((other: { url?: unknown } | null, at) => {
    if (URL.parse(String(other?.url))?.href !== href) return []
    const path = ['traffic_policy', 'targets', 'others', at, 'url']
    const message = 'This is the base URL of the API itself: give that a weight instead.'
    return [{ code: 'custom' as const, path, message }]
  })
}
