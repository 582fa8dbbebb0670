import { SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { AnswerRuleFields } from '../../../entities/answer-rule/answer-rule-fields.tsx'
import { partIn, partOf } from '../../../lib/forms/form-part.ts'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import classes from './run-settings-fields.module.css'

const base = 'run_settings.pending'

const times = [
  {
    field: 'first_after_seconds',
    label: 'First question after, in seconds',
    description: 'Blank: 5.',
  },
  { field: 'factor', label: 'Each wait is longer by the factor', description: 'Blank: 2.' },
  {
    field: 'max_every_seconds',
    label: 'Longest wait, in seconds',
    description: 'Blank: 300.',
  },
  {
    field: 'give_up_minutes',
    label: 'Unknown after, in minutes',
    description: 'Blank: 4320, three days.',
  },
] as const

/** Which answer means that the authority has taken it and decides later, and when it is asked. */
export function PendingFields({ form }: { form: EndpointFormState }) {
  const { has_pending } = form.values.run_settings
  const part = partIn(partOf(form, 'run_settings'), 'pending')
  return (
    <>
      <div>
        <Switch
          label="Decided later"
          classNames={{ label: classes['switch'] ?? '' }}
          {...form.getInputProps('run_settings.has_pending', { type: 'checkbox' })}
        />
        <Text size="sm" c="dimmed" mt={4}>
          The authority takes it and decides later. The status query is then asked until it knows
          the decision.
        </Text>
      </div>
      {has_pending && (
        <>
          <AnswerRuleFields
            part={partIn(part, 'rule')}
            label="It was taken when"
            description="A 2xx answer that decides nothing yet."
            statusesPlaceholder="202"
          />
          <TextInput
            label="Value to ask by"
            description="Path into that answer. Blank: the document’s reference."
            placeholder="submissionUid"
            spellCheck={false}
            dir="ltr"
            {...form.getInputProps(`${base}.parameter_path`)}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {times.map(({ field, ...texts }) => (
              <TextInput
                key={field}
                {...texts}
                inputMode="decimal"
                {...form.getInputProps(`${base}.${field}`)}
              />
            ))}
          </SimpleGrid>
        </>
      )}
    </>
  )
}
