import { Button, Group, Select, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChoiceSourceProvider } from '../../entities/endpoint/choice-source.tsx'
import { paths } from '../../entities/paths.ts'
import { partIn, partOf } from '../../lib/form-part.ts'
import { choiceWords } from '../../lib/choice-words.ts'
import { toChoices } from '../../lib/to-choices.ts'
import { useSaveForm, type SaveTexts } from '../../lib/use-save-form.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { FormFrame } from '../../ui/form-frame.tsx'
import { useWorkflowPreview } from './use-workflow-preview.ts'
import { useWorkflowSamples } from './use-workflow-samples.ts'
import { slugOf, type WorkflowFormState, type WorkflowFormValues } from './workflow-form-values.ts'
import { WorkflowInputCard } from './workflow-input-card.tsx'
import { WorkflowLaneCard } from './carrying/workflow-lane-card.tsx'
import { WorkflowReleaseCard } from './carrying/workflow-release-card.tsx'
import { workflowChoices, type WorkflowChoices } from './workflow-queries.ts'
import { WorkflowStepCard } from './workflow-step-card.tsx'
import { blankStep } from './workflow-step-draft.ts'
import { workflowKindWords, workflowStatusWords } from './workflows-messages.ts'
import { neededField } from '../../ui/field-looks.ts'

interface WorkflowFormProps {
  initialValues: WorkflowFormValues
  choices: WorkflowChoices
  save: (values: WorkflowFormValues) => Promise<{ id: number }>
  texts: SaveTexts
  submitLabel: string
  cancelPath: string
  /** Of the workflow that is edited: a slug that has been given away stays as it is. */
  ownSlug?: string
}

export function WorkflowForm(props: WorkflowFormProps) {
  const { initialValues, choices, save, texts, submitLabel, cancelPath, ownSlug } = props
  const form = useForm<WorkflowFormValues>({ mode: 'controlled', initialValues })
  const saving = useSaveForm({
    form,
    initialValues,
    save,
    texts,
    // A new one is there to be called: its page says how.
    target: ({ id }) => `${paths.workflow(id)}${ownSlug === undefined ? '#call-it' : ''}`,
  })
  const live = useWorkflowPreview(form.values)
  const sharedWith = (live.preview?.lane_shared_with ?? [])
    .filter(({ slug }) => slug !== ownSlug)
    .map(({ name }) => name)
  return (
    <FormFrame saving={saving} submitLabel={submitLabel} cancelPath={cancelPath} words={words}>
      <IdentityCard form={form} hasOwnSlug={ownSlug !== undefined} />
      <WorkflowInputCard form={form} live={live} />
      <ChoiceSourceProvider value={workflowChoices}>
        <Steps form={form} live={live} />
      </ChoiceSourceProvider>
      <WorkflowLaneCard form={form} lanes={choices.lanes} sharedWith={sharedWith} />
      <WorkflowReleaseCard form={form} />
    </FormFrame>
  )
}

const words = {
  kind: choiceWords(toChoices(workflowKindWords)),
  status: choiceWords(toChoices(workflowStatusWords)),
}

function IdentityCard({ form, hasOwnSlug }: { form: WorkflowFormState; hasOwnSlug: boolean }) {
  // Proposed until it is typed by hand.
  const [isTyped, setIsTyped] = useState(hasOwnSlug || form.values.slug !== '')
  const slug = form.getInputProps('slug')
  return (
    <FormCard title="Workflow">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Name"
          {...neededField}
          maxLength={100}
          {...form.getInputProps('name')}
          onChange={(event) => {
            const name = event.currentTarget.value
            form.setFieldValue('name', name)
            if (!isTyped) form.setFieldValue('slug', slugOf(name))
          }}
        />
        <TextInput
          label="Slug"
          {...neededField}
          maxLength={60}
          spellCheck={false}
          dir="ltr"
          {...slug}
          onChange={(event: React.ChangeEvent<HTMLInputElement>) => {
            setIsTyped(event.currentTarget.value !== '')
            form.setFieldValue('slug', event.currentTarget.value)
          }}
          description={`Machines call /api/workflows/${form.values.slug || '…'}/runs`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <Select
          label="Kind"
          data={toChoices(workflowKindWords)}
          allowDeselect={false}
          {...form.getInputProps('kind')}
        />
        <Select
          label="Status"
          data={toChoices(workflowStatusWords)}
          allowDeselect={false}
          {...form.getInputProps('status')}
        />
      </SimpleGrid>
      <Textarea
        label="Description"
        rows={3}
        maxLength={1000}
        {...form.getInputProps('description')}
      />
    </FormCard>
  )
}

/** The most steps of each kind (spec: workflow-definition). */
const stepsMax: Record<string, number> = { tax: 4, credit: 3, general: 10 }

interface StepsProps {
  form: WorkflowFormState
  live: ReturnType<typeof useWorkflowPreview>
}

function Steps({ form, live }: StepsProps) {
  const list = partOf(form, 'steps')
  const { steps, kind } = form.values
  const max = stepsMax[kind] ?? 10
  const isFull = steps.length >= max

  function moveUp(at: number) {
    form.reorderListItem('steps', { from: at, to: at - 1 })
    form.clearErrors()
  }
  const samplesOf = useWorkflowSamples(form.values.steps, form.values.sample_input)
  return (
    <>
      {steps.map(({ key }, at) => (
        <WorkflowStepCard
          key={key}
          part={partIn(list, at)}
          position={at + 1}
          live={live}
          taking={samplesOf(at)}
          errors={form.errors}
          onUp={at === 0 ? undefined : () => moveUp(at)}
          onRemove={steps.length === 1 ? undefined : () => list.remove('', at)}
        />
      ))}
      <Group gap="sm">
        <Button
          variant="light"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={isFull}
          onClick={() => list.append('', blankStep())}
        >
          Add step
        </Button>
        {isFull && (
          <Text size="xs" c="dimmed">
            A {workflowKindWords[kind as 'tax']?.toLowerCase()} workflow has at most {max} steps.
          </Text>
        )}
        {list.errorOf('') !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {list.errorOf('')}
          </Text>
        )}
      </Group>
    </>
  )
}
