import type {
  PolicyPartName,
  PolicySwitches,
  TrafficPolicyValues,
} from './traffic-policy-values.ts'

const count = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`

const words: { [K in PolicyPartName]: (values: TrafficPolicyValues) => string } = {
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
}

/** The parts in the order of the form; those that need an upstream over HTTP come last. */
export const anyProtocolParts: readonly PolicyPartName[] = [
  'rate_limit',
  'max_concurrent',
  'max_body_bytes',
  'circuit_breaker',
  'cors',
]
export const httpParts: readonly PolicyPartName[] = ['retries', 'cache', 'targets']

/** What is on, in one line. */
export function policySummary(
  values: TrafficPolicyValues,
  on: PolicySwitches,
  isHttp: boolean,
): string {
  const parts = isHttp ? [...anyProtocolParts, ...httpParts] : anyProtocolParts
  const said = parts.filter((part) => on[part]).map((part) => words[part](values))
  if (said.length === 0) return 'All off: requests are passed on as they come.'
  const text = said.join(' · ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
