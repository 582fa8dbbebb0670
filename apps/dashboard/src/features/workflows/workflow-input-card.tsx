import { List, Alert, SimpleGrid, TextInput } from '@mantine/core'
import { useDeferredValue, useMemo } from 'react'
import { jsonProblemOf } from '../../lib/json-problem.ts'
import { BodyField } from '../../ui/body-field.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import type { LivePreview } from './use-workflow-preview.ts'
import type { WorkflowFormState } from './workflow-form-values.ts'
import classes from './workflow-form.module.css'

interface WorkflowInputCardProps {
  form: WorkflowFormState
  live: LivePreview
}

/** What a caller sends, and where its reference and its order key are. */
export function WorkflowInputCard({ form, live }: WorkflowInputCardProps) {
  const problems = Object.entries(live.preview?.input_problems ?? {})
  const { reference, order_key } = live.preview ?? {}
  return (
    <FormCard title="Input" description="Any JSON document that the caller sends, up to 1 MiB.">
      <div className={classes['json']}>
        <JsonTextField
          form={form}
          name="sample_input"
          label="Sample input"
          hint="Shown to callers, and used for the results below. Numbers stay as they are typed."
        />
        <JsonTextField
          form={form}
          name="input_schema"
          label="Input schema"
          hint="JSON Schema 2020-12. An input that does not fit is refused. Blank: any JSON is taken."
        />
      </div>
      {problems.length > 0 && (
        <Alert color="red" role="note" title="The sample would be refused">
          <List size="sm" listStyleType="none">
            {problems.map(([place, messages]) => (
              <List.Item key={place} style={{ overflowWrap: 'anywhere' }}>
                <code>{place === '' ? 'the whole input' : place}</code>: {messages.join(' ')}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Reference path"
          description={found(reference) ?? 'Where the document’s number is in the input.'}
          placeholder="invoice.number"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('reference_path')}
        />
        <TextInput
          label="Order key path"
          description={found(order_key) ?? 'Inputs with the same key can keep their order.'}
          placeholder="customer.id"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('order_key_path')}
        />
        <TextInput
          label="Inputs per run"
          description="More than 1: inputs of a batch go together, to a first step that takes several documents."
          inputMode="numeric"
          {...form.getInputProps('inputs_per_run')}
        />
      </SimpleGrid>
    </FormCard>
  )
}

const found = (value: string | null | undefined) =>
  value === null || value === undefined ? undefined : `In the sample: ${value}`

interface JsonTextFieldProps {
  form: WorkflowFormState
  name: 'sample_input' | 'input_schema'
  label: string
  hint: string
}

function JsonTextField({ form, name, label, hint }: JsonTextFieldProps) {
  const value = form.values[name]
  const checked = useDeferredValue(value)
  const problem = useMemo(() => jsonProblemOf(checked), [checked])
  const error = Object.entries(form.errors).find(
    ([field]) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}/`),
  )?.[1]
  return (
    <BodyField
      label={label}
      hint={hint}
      value={value}
      onChange={(text) => form.setFieldValue(name, text)}
      problem={typeof error === 'string' ? { message: error } : problem}
    />
  )
}
