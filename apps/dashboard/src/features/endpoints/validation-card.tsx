import { Checkbox, Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { EndpointValidation, ValidationMode } from '@gatehouse/contract'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { RadioChoice } from '../../ui/form/radio-choice.tsx'
import { CodeArea } from './code-area.tsx'
import type { EndpointFormState } from './endpoint-form-values.ts'

export const validationModes: { value: ValidationMode; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'log', label: 'Log only' },
  { value: 'enforce', label: 'Refuse what does not fit' },
]

/** What requests and answers of the endpoint are held against. */
export function ValidationCard({ form }: { form: EndpointFormState }) {
  const { validation } = form.values
  return (
    <Disclosure
      title="Validation"
      note={noteOf(validation)}
      isOpenWhen={Object.keys(form.errors).some((field) => field.startsWith('validation.'))}
    >
      <Stack gap="md">
        <RadioChoice
          label="Requests that do not fit"
          description="Log only lets them in, and writes the places into the log of the gateway."
          choices={validationModes}
          {...form.getInputProps('validation.mode')}
        />
        <CodeArea
          form={form}
          field="validation.parameters_schema"
          label="Schema of path, query and headers"
          hint={parametersHint}
        />
        <CodeArea
          form={form}
          field="validation.body_schema"
          label="Schema of the body"
          hint="A JSON Schema (2020-12). The body then has to be JSON, of at most 1 MiB."
        />
        <Checkbox
          label="A body is required"
          {...form.getInputProps('validation.is_body_required', { type: 'checkbox' })}
        />
        <CodeArea
          form={form}
          field="validation.answer_schema"
          label="Schema of answers"
          hint="Of JSON answers with a status of 2xx. What does not fit is logged, and passed on."
        />
        <Checkbox
          label="Answer with an example of it"
          description="The gateway then calls no upstream, and marks the answer with X-Gateway-Mock: 1. Runs still call the upstream."
          {...form.getInputProps('validation.is_mocked', { type: 'checkbox' })}
        />
        {validation.is_mocked && (
          <Suspense fallback={null}>
            <MockPreview schema={validation.answer_schema} />
          </Suspense>
        )}
      </Stack>
    </Disclosure>
  )
}

/** Loaded when it is shown: it reads schemas, and few endpoints are mocked. */
const MockPreview = lazy(async () => {
  const { MockPreview: preview } = await import('./mock-preview.tsx')
  return { default: preview }
})

const parametersHint =
  'Of an object with path, query and headers, such as ' +
  '{"properties":{"query":{"properties":{"page":{"type":"integer"}}}}}. Names of headers are in small letters.'

function noteOf(validation: EndpointValidation): string {
  const { mode, parameters_schema, body_schema, answer_schema } = validation
  if (validation.is_mocked) return 'The gateway answers with an example. No upstream is called.'
  const has = [parameters_schema, body_schema, answer_schema].some((schema) => schema.trim() !== '')
  if (mode === 'enforce') return 'Requests that do not fit are refused with 422.'
  if (mode === 'log') return 'Requests and answers that do not fit are logged.'
  return has ? 'Off. Schemas are there, from an import or from before.' : 'Nothing is checked.'
}
