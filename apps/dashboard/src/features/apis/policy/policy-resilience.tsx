import { SimpleGrid } from '@mantine/core'
import type { ApiFormState } from '../form/api-form-values.ts'
import { PolicyField, PolicyPart } from './policy-part.tsx'

export function PolicyBreaker({ form }: { form: ApiFormState }) {
  return (
    <PolicyPart
      form={form}
      name="circuit_breaker"
      label="Circuit breaker"
      help="While most calls fail, requests are answered 503 at once; then one is let through to try."
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PolicyField
          form={form}
          field="circuit_breaker.failure_percent"
          label="Opens at failures"
          unit="%"
        />
        <PolicyField
          form={form}
          field="circuit_breaker.window_seconds"
          label="Within"
          unit="seconds"
        />
        <PolicyField
          form={form}
          field="circuit_breaker.minimum_requests"
          label="Not before"
          unit="requests"
        />
        <PolicyField
          form={form}
          field="circuit_breaker.cool_down_seconds"
          label="Tries again after"
          unit="seconds"
        />
      </SimpleGrid>
    </PolicyPart>
  )
}

export function PolicyRetries({ form }: { form: ApiFormState }) {
  return (
    <PolicyPart
      form={form}
      name="retries"
      label="Retries"
      help="Sends a GET again where no connection was made, or after a 502, 503 or 504."
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PolicyField form={form} field="retries.attempts" label="At most" unit="retries" />
        <PolicyField
          form={form}
          field="retries.backoff_ms"
          label="First pause up to"
          unit="ms"
          description="Drawn at random; doubles each time."
        />
      </SimpleGrid>
    </PolicyPart>
  )
}

export function PolicyCache({ form }: { form: ApiFormState }) {
  return (
    <PolicyPart
      form={form}
      name="cache"
      label="Response cache"
      help="Keeps answers to GET as long as their Cache-Control allows; what came for a token only if it says public."
    >
      <PolicyField
        form={form}
        field="cache.max_bytes"
        label="Memory in each worker"
        description="Bytes, or with a unit: 512 KiB, 16 MiB."
        isText
      />
    </PolicyPart>
  )
}
