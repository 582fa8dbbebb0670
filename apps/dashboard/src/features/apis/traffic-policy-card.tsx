import { Text } from '@mantine/core'
import { Disclosure } from '../../ui/disclosure.tsx'
import type { ApiFormState } from './api-form-values.ts'
import { PolicyCors } from './policy-cors.tsx'
import { PolicyLimits } from './policy-limits.tsx'
import { PolicyBreaker, PolicyCache, PolicyRetries } from './policy-resilience.tsx'
import { PolicyTargets } from './policy-targets.tsx'
import { policySummary } from './traffic-policy-summary.ts'

/**
 * What the gateway does to the traffic of this API beyond passing it on. Closed it says in a line what
 * is on; a message for one of its fields opens it.
 */
export function TrafficPolicyCard({ form }: { form: ApiFormState }) {
  const { api_protocol, traffic_policy, traffic_policy_on } = form.values
  const isHttp = api_protocol === 'http'
  const hasErrors = Object.keys(form.errors).some((field) => field.startsWith('traffic_policy.'))
  return (
    <Disclosure
      title="Traffic policy"
      note={policySummary(traffic_policy, traffic_policy_on, isHttp)}
      isOpenWhen={hasErrors}
    >
      <PolicyLimits form={form} />
      <PolicyBreaker form={form} />
      <PolicyCors form={form} />
      {isHttp ? (
        <>
          <PolicyRetries form={form} />
          <PolicyCache form={form} />
          <PolicyTargets form={form} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Retries, the response cache and several base URLs do not apply to stored procedures.
        </Text>
      )}
    </Disclosure>
  )
}
