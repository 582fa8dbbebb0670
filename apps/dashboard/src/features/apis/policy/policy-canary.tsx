import { Select, SimpleGrid } from '@mantine/core'
import type { ApiFormState } from '../form/api-form-values.ts'
import { CanaryTokens } from './canary-tokens.tsx'
import { PolicyField, PolicyPart } from './policy-part.tsx'

const kinds = [
  { value: 'token', label: 'The user of its token' },
  { value: 'address', label: 'Its address' },
  { value: 'header', label: 'A header of it' },
]

/** One more base URL, which only chosen calls reach. */
export function PolicyCanary({ form }: { form: ApiFormState }) {
  const { sticky_by } = form.values.traffic_policy.canary
  return (
    <PolicyPart
      form={form}
      name="canary"
      label="Canary"
      help="One more base URL, such as a new release: calls with a header, of chosen tokens and of a share of clients go there."
    >
      <PolicyField form={form} field="canary.url" label="Base URL of the canary" isText />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PolicyField
          form={form}
          field="canary.header_name"
          label="Header that leads there"
          isText
        />
        <PolicyField form={form} field="canary.header_value" label="Its value" isText />
      </SimpleGrid>
      <CanaryTokens form={form} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PolicyField form={form} field="canary.percent" label="Share of clients" unit="%" />
        <Select
          label="A client is told apart by"
          data={kinds}
          allowDeselect={false}
          {...form.getInputProps('traffic_policy.canary.sticky_by')}
        />
      </SimpleGrid>
      {sticky_by === 'header' && (
        <PolicyField
          form={form}
          field="canary.sticky_header"
          label="Header that tells clients apart"
          description="A call without it counts by its address."
          isText
        />
      )}
    </PolicyPart>
  )
}
