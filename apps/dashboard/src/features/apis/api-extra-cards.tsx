import { SimpleGrid, TextInput } from '@mantine/core'
import { TagsCard } from '../../entities/tag/tags-field.tsx'
import { partOf } from '../../lib/form-part.ts'
import { FormCard } from '../../ui/form-card.tsx'
import type { ApiFormState } from './api-form-values.ts'
import { SignInCard, TestUrlCard } from './sign-in-card.tsx'
import { TlsCard } from './tls-card.tsx'

interface ApiExtraCardsProps {
  form: ApiFormState
  /** Undefined while the API is new. */
  apiId: number | undefined
}

/** What the product adds beneath the spec's cards (spec: terms): all of it optional. */
export function ApiExtraCards({ form, apiId }: ApiExtraCardsProps) {
  return (
    <>
      {form.values.api_protocol === 'http' && (
        <>
          <SignInCard form={form} apiId={apiId} />
          <TestUrlCard form={form} apiId={apiId} />
          <TlsCard
            part={partOf(form, 'tls')}
            hasErrors={Object.keys(form.errors).some((field) => field.startsWith('tls.'))}
          />
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
      <TagsCard of="apis" {...form.getInputProps('tags')} />
    </>
  )
}
