import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ChoiceSourceProvider } from '../../../entities/endpoint/choice-source.tsx'
import { paths } from '../../../entities/paths.ts'
import { choiceWords } from '../../../lib/format/choice-words.ts'
import { toChoices } from '../../../lib/format/to-choices.ts'
import { useSaveForm, type SaveTexts } from '../../../lib/forms/use-save-form.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { FormFrame } from '../../../ui/form/form-frame.tsx'
import { useStepRuns } from './use-step-runs.ts'
import { useWorkflowPreview } from './use-workflow-preview.ts'
import { slugOf, type WorkflowFormState, type WorkflowFormValues } from '../workflow-form-values.ts'
import { AdvancedPanel } from './advanced-panel.tsx'
import { StepCanvas } from './step-canvas.tsx'
import type { Workflow } from '../read-workflow.ts'
import { workflowChoices, type WorkflowChoices } from '../workflow-queries.ts'
import { workflowKindWords, workflowStatusWords } from '../workflows-messages.ts'
import { neededField } from '../../../ui/form/field-looks.ts'

interface WorkflowFormProps {
  initialValues: WorkflowFormValues
  choices: WorkflowChoices
  save: (values: WorkflowFormValues) => Promise<{ id: number }>
  texts: SaveTexts
  submitLabel: string
  cancelPath: string
  /** The one that is edited: a slug that has been given away stays as it is. */
  workflow?: Pick<Workflow, 'id' | 'slug' | 'callback'>
}

export function WorkflowForm(props: WorkflowFormProps) {
  const { initialValues, choices, save, texts, submitLabel, cancelPath, workflow } = props
  const ownSlug = workflow?.slug
  const form = useForm<WorkflowFormValues>({ mode: 'controlled', initialValues })
  const saving = useSaveForm({
    form,
    initialValues,
    save,
    texts,
    // A new one is there to be called: its page says how.
    target: ({ id }) => `${paths.workflow(id)}${ownSlug === undefined ? '#call-it' : ''}`,
  })
  const runs = useStepRuns(form.values)
  const live = useWorkflowPreview(form.values, runs.answers)
  const sharedWith = (live.preview?.lane_shared_with ?? [])
    .filter(({ slug }) => slug !== ownSlug)
    .map(({ name }) => name)
  return (
    <FormFrame
      saving={saving}
      submitLabel={submitLabel}
      cancelPath={cancelPath}
      words={words}
      isWide
    >
      <IdentityCard form={form} hasOwnSlug={ownSlug !== undefined} />
      <ChoiceSourceProvider value={workflowChoices}>
        <StepCanvas form={form} live={live} runs={runs} isInputFirst={isBlank(initialValues)} />
      </ChoiceSourceProvider>
      <AdvancedPanel
        form={form}
        live={live}
        lanes={choices.lanes}
        sharedWith={sharedWith}
        workflow={workflow}
      />
    </FormFrame>
  )
}

const isBlank = ({ steps }: WorkflowFormValues) =>
  steps.every(({ endpoint_id }) => endpoint_id === null)

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
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
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
          description={`Programs call /api/workflows/${form.values.slug || '…'}/runs`}
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
        rows={2}
        maxLength={1000}
        {...form.getInputProps('description')}
      />
    </FormCard>
  )
}
