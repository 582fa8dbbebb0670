import { Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ChoiceSourceProvider } from '../../../entities/endpoint/choice-source.tsx'
import { EndpointSelect } from '../../../entities/endpoint/endpoint-select.tsx'
import { paths } from '../../../entities/paths.ts'
import { CronFields } from '../../../entities/schedule/cron-fields.tsx'
import { choiceWords } from '../../../lib/format/choice-words.ts'
import { useSaveForm, type SaveTexts } from '../../../lib/forms/use-save-form.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { FormFrame } from '../../../ui/form/form-frame.tsx'
import { RadioChoice } from '../../../ui/form/radio-choice.tsx'
import { workflowChoices } from '../workflow-queries.ts'
import type { ScheduleForm as Form, ScheduleValues } from './schedule-values.ts'
import { TryList } from './try-list.tsx'
import { neededField } from '../../../ui/form/field-looks.ts'

interface ScheduleFormProps {
  initialValues: ScheduleValues
  save: (values: ScheduleValues) => Promise<{ schedule: { id: number } }>
  texts: SaveTexts
  submitLabel: string
  cancelPath: string
  /** Absent while it is new. */
  scheduleId?: number
}

const starts = [
  { value: 'input', label: 'One run, with a fixed input' },
  { value: 'list', label: 'A run for each new element of a list' },
]
const watermarkTypes = [
  { value: 'text', label: 'Text, in order of characters' },
  { value: 'number', label: 'Number' },
]
const scheduleWords = {
  start: choiceWords(starts),
  'list.watermark.type': choiceWords(watermarkTypes),
}

/** When a workflow starts, and with what. */
export function ScheduleForm(props: ScheduleFormProps) {
  const { initialValues, save, texts, submitLabel, cancelPath, scheduleId } = props
  const form = useForm<ScheduleValues>({ mode: 'controlled', initialValues })
  const saving = useSaveForm({
    form,
    initialValues,
    save,
    texts,
    target: ({ schedule }) => paths.schedule(schedule.id),
  })
  return (
    <FormFrame
      saving={saving}
      submitLabel={submitLabel}
      cancelPath={cancelPath}
      words={scheduleWords}
    >
      <WhenCard form={form} />
      <FormCard
        title="What it starts"
        description="It runs on behalf of the user who saves it, with that user’s rights at each moment."
      >
        <RadioChoice label="Start" {...form.getInputProps('start')} choices={starts} />
        {form.values.start === 'input' ? (
          <Textarea
            label="Input (JSON)"
            autosize
            minRows={5}
            maxRows={20}
            spellCheck={false}
            dir="ltr"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...form.getInputProps('input')}
          />
        ) : (
          <ChoiceSourceProvider value={workflowChoices}>
            <ListFields form={form} scheduleId={scheduleId} />
          </ChoiceSourceProvider>
        )}
      </FormCard>
    </FormFrame>
  )
}

function WhenCard({ form }: { form: Form }) {
  return (
    <FormCard title="When">
      <TextInput label="Name" {...neededField} maxLength={100} {...form.getInputProps('name')} />
      <CronFields
        cron={form.getInputProps('cron')}
        timeZone={form.getInputProps('time_zone')}
        onChoose={(cron) => form.setFieldValue('cron', cron)}
      />
      <Stack gap="xs">
        <Switch
          label="Catch up: after a downtime it fires once for all that was missed"
          {...form.getInputProps('catches_up', { type: 'checkbox' })}
        />
        <Switch label="Active" {...form.getInputProps('is_active', { type: 'checkbox' })} />
      </Stack>
    </FormCard>
  )
}

function ListFields({ form, scheduleId }: { form: Form; scheduleId: number | undefined }) {
  const field = (name: string) => ({
    ...form.getInputProps(`list.${name}`),
    spellCheck: false,
    dir: 'ltr' as const,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
  })
  const error = form.errors['list.endpoint_id']
  return (
    <Stack gap="md">
      <EndpointSelect
        label="Endpoint of the list"
        onlyReads
        value={form.values.list.endpoint_id}
        onChange={(value) => form.setFieldValue('list.endpoint_id', value)}
        error={typeof error === 'string' ? error : undefined}
      />
      <Textarea
        label="Request"
        description="The query of a GET as JSON, or the body. {{watermark}} is where the last list ended."
        placeholder={'{"since": "{{watermark}}"}'}
        autosize
        minRows={2}
        {...field('request')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="List path"
          description="Blank: the answer is the list"
          placeholder="data.invoices"
          {...field('items_path')}
        />
        <TextInput
          label="Reference path"
          description="In each element. The same reference is started once"
          placeholder="number"
          {...field('reference_path')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label="Watermark path"
          description="In each element. Blank: the whole list each time"
          placeholder="updated_at"
          {...field('watermark.path')}
        />
        <Select
          label="Watermark type"
          description="Dates in one format are text"
          data={watermarkTypes}
          allowDeselect={false}
          {...field('watermark.type')}
        />
        <TextInput
          label="Watermark value"
          description="It begins here; each firing moves it"
          placeholder="2026-01-01T00:00:00Z"
          {...field('watermark.value')}
        />
      </SimpleGrid>
      <TryList values={form.values} scheduleId={scheduleId} />
    </Stack>
  )
}
