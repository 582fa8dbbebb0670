import { Alert, List, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDeferredValue, useId, useMemo } from 'react'
import { jsonProblemOf } from '../../../lib/format/json-problem.ts'
import { BodyField } from '../../../ui/form/body-field.tsx'
import { Fold } from '../../../ui/page/fold.tsx'
import type { LivePreview } from './use-workflow-preview.ts'
import type { WorkflowFormState } from '../workflow-form-values.ts'
import classes from './editor.module.css'

interface InputPanelProps {
  id: string
  isShown: boolean
  form: WorkflowFormState
  live: LivePreview
}

/** What a caller sends, and where its reference is. */
export function InputPanel({ id, isShown, form, live }: InputPanelProps) {
  const titleId = useId()
  const { reference } = live.preview ?? {}
  const hasSchema = form.values.input_schema.trim() !== ''
  return (
    <section id={id} className={classes['panel']} aria-labelledby={titleId} hidden={!isShown}>
      <Stack gap="md" className={classes['fields'] ?? ''}>
        <div>
          <Title order={3} id={titleId}>
            Input
          </Title>
          <Text size="sm" c="dimmed" mt={2}>
            Any JSON document that the caller sends, up to 1 MiB.
          </Text>
        </div>
        <JsonTextField
          form={form}
          name="sample_input"
          label="Sample input"
          hint="Shown to callers, and used for the results of the steps. Numbers stay as they are typed."
        />
        <InputProblems live={live} />
      </Stack>
      <Stack gap="md" className={classes['fields'] ?? ''}>
        <TextInput
          label="Reference path"
          description={found(reference) ?? 'Where the document’s number is in the input.'}
          placeholder="invoice.number"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('reference_path')}
        />
        <Fold
          title={hasSchema ? 'Input schema: set' : 'Input schema: none, any JSON is taken'}
          isInitiallyOpen={hasSchema}
          isOpenWhen={errorOf(form, 'input_schema') !== undefined}
        >
          <JsonTextField
            form={form}
            name="input_schema"
            label="Input schema"
            hint="JSON Schema 2020-12. An input that does not fit is refused. Blank: any JSON is taken."
          />
        </Fold>
      </Stack>
    </section>
  )
}

function InputProblems({ live }: { live: LivePreview }) {
  const problems = Object.entries(live.preview?.input_problems ?? {})
  if (problems.length === 0) return null
  return (
    <Alert color="red" role="note" title="The sample would be refused">
      <List size="sm" listStyleType="none">
        {problems.map(([place, messages]) => (
          <List.Item key={place} style={{ overflowWrap: 'anywhere' }}>
            <code>{place === '' ? 'the whole input' : place}</code>: {messages.join(' ')}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

const found = (value: string | null | undefined) =>
  value === null || value === undefined ? undefined : `In the sample: ${value}`

function errorOf({ errors }: WorkflowFormState, name: string): unknown {
  return Object.entries(errors).find(
    ([field]) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}/`),
  )?.[1]
}

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
  const error = errorOf(form, name)
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
