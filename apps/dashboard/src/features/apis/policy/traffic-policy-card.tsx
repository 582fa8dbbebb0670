import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import { Loading } from '../../../ui/page/loading.tsx'
import type { ApiFormState } from '../form/api-form-values.ts'
import type {
  PolicyPartName,
  PolicySwitches,
  TrafficPolicyValues,
} from './traffic-policy-values.ts'

const PolicyFields = lazyPart(
  async () => (await import('./policy-fields.tsx')).PolicyFields,
  <Loading />,
)

/**
 * What the gateway does to the traffic of this API beyond passing it on. Closed it says in a line what
 * is on; a message for one of its fields opens it.
 */
export function TrafficPolicySection({ form }: { form: ApiFormState }) {
  const { api_protocol, traffic_policy, traffic_policy_on } = form.values
  const isHttp = api_protocol === 'http'
  const hasErrors = Object.keys(form.errors).some((field) => field.startsWith('traffic_policy.'))
  return (
    <Disclosure
      title="Traffic policy"
      note={policySummary(traffic_policy, traffic_policy_on, isHttp)}
      isOpenWhen={hasErrors}
      isInCard
    >
      <PolicyFields form={form} />
    </Disclosure>
  )
}

const count = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`

/** `two addresses allowed, one denied`: what of the lists is used. */
function addressWords({ allow, deny }: TrafficPolicyValues['client_addresses']): string {
  const allowed =
    allow.length === 0 ? [] : [`${count(allow.length, 'address', 'addresses')} allowed`]
  const denied = deny.length === 0 ? [] : [`${count(deny.length, 'address', 'addresses')} denied`]
  return [...allowed, ...denied].join(', ')
}

const words: { [K in PolicyPartName]: (values: TrafficPolicyValues) => string } = {
  api_key: ({ api_key }) => `API key in ${api_key.header}`,
  signature: () => 'signed requests',
  client_certificates: () => 'client certificates',
  client_addresses: ({ client_addresses }) => addressWords(client_addresses),
  rate_limit: ({ rate_limit: { requests, window_seconds, per } }) =>
    `${requests} requests in ${window_seconds} s per ${per}`,
  max_concurrent: ({ max_concurrent }) => `${max_concurrent} at once`,
  max_body_bytes: ({ max_body_bytes }) => `bodies up to ${max_body_bytes}`,
  retries: ({ retries }) => count(Number(retries.attempts), 'retry', 'retries'),
  circuit_breaker: (values) => `breaker at ${values.circuit_breaker.failure_percent} % failures`,
  cache: ({ cache }) => `cache of ${cache.max_bytes}`,
  cors: ({ cors: { origins } }) =>
    origins.includes('*') ? 'CORS for any origin' : `CORS for ${count(origins.length, 'origin')}`,
  targets: ({ targets }) => count(targets.others.length + 1, 'base URL'),
  canary: () => 'canary',
}

/** The parts in the order of the form; those that need an upstream over HTTP come last. */
const anyProtocolParts: readonly PolicyPartName[] = [
  'api_key',
  'signature',
  'client_certificates',
  'client_addresses',
  'rate_limit',
  'max_concurrent',
  'max_body_bytes',
  'circuit_breaker',
  'cors',
]
const httpParts: readonly PolicyPartName[] = ['retries', 'cache', 'targets', 'canary']

/** What is on, in one line. */
function policySummary(values: TrafficPolicyValues, on: PolicySwitches, isHttp: boolean): string {
  const parts = isHttp ? [...anyProtocolParts, ...httpParts] : anyProtocolParts
  const said = parts.filter((part) => on[part]).map((part) => words[part](values))
  if (said.length === 0) return 'All off: requests are passed on as they come.'
  const text = said.join(' · ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
