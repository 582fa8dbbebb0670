import { Select, SimpleGrid } from '@mantine/core'
import type { ApiFormState } from '../form/api-form-values.ts'
import { PolicyField, PolicyPart } from './policy-part.tsx'

const scopes = [
  { value: 'token', label: 'Token, all of one user together (address without one)' },
  { value: 'address', label: 'Client address' },
  { value: 'endpoint', label: 'Endpoint, all clients together' },
]

/** How much traffic is let through. */
export function PolicyLimits({ form }: { form: ApiFormState }) {
  return (
    <>
      <PolicyPart
        form={form}
        name="rate_limit"
        label="Rate limit"
        help="A client that asks more often gets a 429 that says when to try again."
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <PolicyField form={form} field="rate_limit.requests" label="Requests" />
          <PolicyField
            form={form}
            field="rate_limit.window_seconds"
            label="Within"
            unit="seconds"
          />
        </SimpleGrid>
        <Select
          label="Counted per"
          data={scopes}
          allowDeselect={false}
          {...form.getInputProps('traffic_policy.rate_limit.per')}
        />
      </PolicyPart>
      <PolicyPart
        form={form}
        name="max_concurrent"
        label="Requests at once"
        help="Spares an upstream that can’t do much at a time: one more is answered 503. Counted in each worker of the gateway."
      >
        <PolicyField form={form} field="max_concurrent" label="At most" unit="requests" />
      </PolicyPart>
      <PolicyPart
        form={form}
        name="max_body_bytes"
        label="Size of request bodies"
        help="A larger body is answered 413, before or while it arrives."
      >
        <PolicyField
          form={form}
          field="max_body_bytes"
          label="At most"
          description="Bytes, or with a unit: 512 KiB, 10 MB."
          isText
        />
      </PolicyPart>
    </>
  )
}
