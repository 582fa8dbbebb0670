import { Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { registerQueries } from '../../entities/document/register-queries.ts'
import { ChoiceSourceProvider } from '../../entities/endpoint/choice-source.tsx'
import { EndpointName } from '../../entities/endpoint/endpoint-select.tsx'
import { CronFields } from '../../entities/schedule/cron-fields.tsx'
import { WorkflowName, WorkflowSelect } from '../../entities/workflow/workflow-select.tsx'
import { choiceWords } from '../../lib/format/choice-words.ts'
import { paths } from '../../entities/paths.ts'
import { useSaveForm, type SaveTexts } from '../../lib/forms/use-save-form.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { ListFields } from './list-fields.tsx'
import { listChoices } from './reconciliation-queries.ts'
import type { ReconciliationForm as Form, ReconciliationValues } from './reconciliation-values.ts'
import { neededField } from '../../ui/form/field-looks.ts'

interface ReconciliationFormProps {
  initialValues: ReconciliationValues
  save: (values: ReconciliationValues) => Promise<{ reconciliation: { id: number } }>
  texts: SaveTexts
  submitLabel: string
  cancelPath: string
}

/** What is compared, and when. */
export function ReconciliationForm(props: ReconciliationFormProps) {
  const { initialValues, save, texts, submitLabel, cancelPath } = props
  const form = useForm<ReconciliationValues>({ mode: 'controlled', initialValues })
  const saving = useSaveForm({
    form,
    initialValues,
    save,
    texts,
    target: (answer) => paths.reconciliation(answer.reconciliation.id),
  })
  return (
    <ChoiceSourceProvider value={listChoices}>
      <FormFrame saving={saving} submitLabel={submitLabel} cancelPath={cancelPath} words={words}>
        <ComparedCard form={form} />
        <WhenCard form={form} />
        <FormCard title="The list of the ERP">
          <ListFields form={form} which="erp" label="Endpoint of the ERP" />
        </FormCard>
        <FormCard title="The list of the authority">
          <Switch
            label="Compare with a list of the authority too"
            {...form.getInputProps('has_authority', { type: 'checkbox' })}
          />
          {form.values.has_authority && (
            <ListFields form={form} which="authority" label="Endpoint of the authority" />
          )}
        </FormCard>
      </FormFrame>
    </ChoiceSourceProvider>
  )
}

const kinds = [
  { value: '', label: 'Tax and credit' },
  { value: 'tax', label: 'Tax' },
  { value: 'credit', label: 'Credit' },
]

const endpointWords = (id: unknown) => <EndpointName id={String(id)} />

const words = {
  kind: choiceWords(kinds),
  workflow_id: (id: unknown) => <WorkflowName id={String(id)} />,
  'erp.endpoint_id': endpointWords,
  'authority.endpoint_id': endpointWords,
}

function ComparedCard({ form }: { form: Form }) {
  return (
    <FormCard
      title="What is compared"
      description="It runs on behalf of the user who saves it, with that user’s rights at each moment."
    >
      <TextInput label="Name" {...neededField} maxLength={100} {...form.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Documents"
          data={kinds}
          allowDeselect={false}
          {...form.getInputProps('kind')}
        />
        <WorkflowSelect
          label="Workflow"
          placeholder="All workflows"
          clearable
          clearButtonProps={{ 'aria-label': 'All workflows' }}
          value={form.values.workflow_id}
          onChange={(id) => form.setFieldValue('workflow_id', id ?? '')}
          error={form.errors['workflow_id']}
        />
        <RegisterSelect form={form} />
        <TextInput
          label="Amount in the input"
          placeholder="total"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('amount_path')}
        />
      </SimpleGrid>
    </FormCard>
  )
}

/** A reference that two registers hold is two documents: one of them is to be chosen. */
function RegisterSelect({ form }: { form: Form }) {
  const { data = [] } = useQuery(registerQueries.list())
  const { register } = form.values
  const names = new Set([...data.map(({ name }) => name), ...(register === '' ? [] : [register])])
  return (
    <Select
      label="Document register"
      placeholder="All registers"
      data={[...names]}
      clearable
      clearButtonProps={{ 'aria-label': 'All registers' }}
      value={register || null}
      onChange={(name) => form.setFieldValue('register', name ?? '')}
      error={form.errors['register']}
    />
  )
}

function WhenCard({ form }: { form: Form }) {
  return (
    <FormCard title="When" description="Each time it compares the day before, in this time zone.">
      <CronFields
        cron={form.getInputProps('cron')}
        timeZone={form.getInputProps('time_zone')}
        onChoose={(cron) => form.setFieldValue('cron', cron)}
        never="By hand only"
      />
    </FormCard>
  )
}
