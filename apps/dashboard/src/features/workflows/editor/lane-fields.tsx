import { Alert, Autocomplete, Text, TextInput, Switch } from '@mantine/core'
import type { LaneSettings } from '@gatehouse/contract'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { toLaneDraft, type WorkflowFormState } from '../workflow-form-values.ts'
import classes from './editor.module.css'

interface LaneFieldsProps {
  form: WorkflowFormState
  lanes: readonly LaneSettings[]
  /** Names of other workflows in the lane. */
  sharedWith: readonly string[]
}

const numbers = [
  { field: 'concurrency', label: 'Runs at once', placeholder: '4' },
  { field: 'per_second', label: 'Calls a second', placeholder: 'no limit' },
  { field: 'per_minute', label: 'Calls a minute', placeholder: 'no limit' },
  { field: 'per_hour', label: 'Calls an hour', placeholder: 'no limit' },
  { field: 'max_age_minutes', label: 'Deadline in minutes', placeholder: 'none' },
]

/** How the runs are carried out (spec: lanes). A known name takes over the settings of its lane. */
export function LaneFields({ form, lanes, sharedWith }: LaneFieldsProps) {
  function handleName(name: string) {
    const known = lanes.find((lane) => lane.name === name)
    form.setFieldValue('lane', known ? toLaneDraft(known) : { ...form.values.lane, name })
  }
  return (
    <FormSection
      title="Lane"
      description="Limits are counted over all servers, and over all workflows that share the lane: one taxpayer at one authority is one lane."
    >
      <Autocomplete
        label="Lane"
        description="Blank: a lane of its own, named like the slug."
        placeholder={form.values.slug}
        data={lanes.map(({ name }) => name)}
        maxLength={60}
        maw={420}
        {...form.getInputProps('lane.name')}
        onChange={handleName}
      />
      {sharedWith.length > 0 && (
        <Alert color="orange" role="note" title="This lane is shared">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Its limits also hold for {sharedWith.join(', ')}. What you change here changes there.
          </Text>
        </Alert>
      )}
      <div className={classes['figures']}>
        {numbers.map(({ field, ...texts }) => (
          <TextInput
            key={field}
            {...texts}
            inputMode="numeric"
            {...form.getInputProps(`lane.${field}`)}
          />
        ))}
      </div>
      <Switch
        label="Strict order"
        description="Runs with the same order key go one after the other, as they were taken."
        {...form.getInputProps('lane.is_strict_order', { type: 'checkbox' })}
      />
    </FormSection>
  )
}
