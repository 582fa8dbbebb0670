import { Text } from '@mantine/core'
import type { ApiFormState } from '../form/api-form-values.ts'
import { PolicyAddresses } from './policy-addresses.tsx'
import { PolicyCanary } from './policy-canary.tsx'
import { PolicyCertificates } from './policy-certificates.tsx'
import { PolicyCors } from './policy-cors.tsx'
import { PolicyKey } from './policy-key.tsx'
import { PolicyLimits } from './policy-limits.tsx'
import { PolicyBreaker, PolicyCache, PolicyRetries } from './policy-resilience.tsx'
import { PolicyTargets } from './policy-targets.tsx'

/** Every part of the policy, in its order. */
export function PolicyFields({ form }: { form: ApiFormState }) {
  const isHttp = form.values.api_protocol === 'http'
  return (
    <>
      <PolicyKey form={form} />
      <PolicyCertificates form={form} />
      <PolicyAddresses form={form} />
      <PolicyLimits form={form} />
      <PolicyBreaker form={form} />
      <PolicyCors form={form} />
      {isHttp ? (
        <>
          <PolicyRetries form={form} />
          <PolicyCache form={form} />
          <PolicyTargets form={form} />
          <PolicyCanary form={form} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Retries, the response cache, several base URLs and a canary do not apply to stored
          procedures.
        </Text>
      )}
    </>
  )
}
