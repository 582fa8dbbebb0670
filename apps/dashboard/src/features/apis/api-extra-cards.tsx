import { SimpleGrid, TextInput } from '@mantine/core'
import { useId } from 'react'
import { FormCard } from '../../ui/form-card.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import type { ApiFormState } from './api-form-values.ts'

interface ApiExtraCardsProps {
  form: ApiFormState
  isTokenStored: boolean
}

/** What the product adds beneath the spec's cards (spec: terms): all of it optional. */
export function ApiExtraCards({ form, isTokenStored }: ApiExtraCardsProps) {
  const testUrlId = useId()
  return (
    <>
      {form.values.api_protocol === 'http' && (
        <>
          <FormCard
            title="Upstream credential"
            description="Sent upstream as a Bearer token where a request brings none of its own."
          >
            <SecretField
              label="Bearer token for the upstream"
              storedText="A token is stored"
              isStored={isTokenStored}
              clearing={{
                isOn: form.values.clear_upstream_token,
                onChange: (isOn) => form.setFieldValue('clear_upstream_token', isOn),
              }}
              value={form.values.upstream_token}
              onChange={(token) => form.setFieldValue('upstream_token', token)}
              error={form.errors['upstream_token']}
            />
          </FormCard>
          <FormCard
            title="Test base URL"
            labelFor={testUrlId}
            description="Test runs go here. Without one they send nothing and show what they would."
          >
            <TextInput id={testUrlId} type="url" {...form.getInputProps('test_api_url')} />
          </FormCard>
        </>
      )}
      <FormCard title="Time-outs" description="In milliseconds.">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Connect time-out"
            inputMode="numeric"
            placeholder="5000"
            {...form.getInputProps('connect_timeout_ms')}
          />
          <TextInput
            label="Answer time-out"
            inputMode="numeric"
            placeholder="30000"
            {...form.getInputProps('answer_timeout_ms')}
          />
        </SimpleGrid>
      </FormCard>
    </>
  )
}
