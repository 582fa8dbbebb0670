import { Stack } from '@mantine/core'
import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import { TransformRulesField } from './transform-rules-field.tsx'

// With the table of mapping rows, which most endpoints do without.
const TransformBodyField = lazyPart(
  async () => (await import('./transform-body-field.tsx')).TransformBodyField,
)

/** What is changed in requests, then in answers: rules, and the body. */
export function TransformationFields({ form }: { form: EndpointFormState }) {
  return (
    <Stack gap="lg">
      <TransformRulesField
        form={form}
        field="request_rules"
        label="Rules for requests"
        hint={requestHint}
      />
      <TransformBodyField
        form={form}
        field="request_body"
        label="Body of requests"
        hint={bodyHint}
      />
      <TransformRulesField
        form={form}
        field="answer_rules"
        label="Rules for answers"
        hint="Headers alone. {{status}} and {{headers.date}} are those of the answer."
      />
      <TransformBodyField
        form={form}
        field="answer_body"
        label="Body of answers"
        hint="For answers of 2xx. Custom output goes before it."
      />
    </Stack>
  )
}

const requestHint =
  'Values may be read from the call: {{params.id}}, {{query.page}}, {{headers.x-kind}}, {{body.total}}.'

const bodyHint = 'What is sent in place of the body that the client sends.'
