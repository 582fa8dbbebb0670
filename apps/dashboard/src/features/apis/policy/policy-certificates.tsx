import { Text, Textarea } from '@mantine/core'
import { Moment } from '../../../ui/text/moment.tsx'
import type { ApiFormState } from '../form/api-form-values.ts'
import { PolicyPart } from './policy-part.tsx'

/** Whose client certificates every call has to show. */
export function PolicyCertificates({ form }: { form: ApiFormState }) {
  return (
    <PolicyPart
      form={form}
      name="client_certificates"
      label="Client certificates"
      help="Every call shows a certificate that one of these authorities has issued, beside a token where the endpoint asks for one. TLS has to end at the gateway itself: behind a proxy that ends it, every call is refused."
    >
      {form.values.client_authorities.map(({ subject, expires_at }) => (
        <Text key={subject + expires_at} size="sm" style={{ overflowWrap: 'anywhere' }}>
          Stored: {subject}, valid until <Moment at={expires_at} isDay />
        </Text>
      ))}
      <Textarea
        label="Authorities (PEM)"
        description="The certificates that issue those of the clients themselves, one below the other."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={5}
        resize="vertical"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('traffic_policy.client_certificates.ca')}
      />
    </PolicyPart>
  )
}
