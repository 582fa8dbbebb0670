import { Alert, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, type ReactNode } from 'react'
import { AuthenticationCard } from '../../entities/api/authentication-card.tsx'
import { StaticHeadersFields } from '../../entities/api/static-headers-fields.tsx'
import type { EndpointDraft } from '../../entities/endpoint/endpoint-draft.ts'
import { methodChoices } from '../../entities/endpoint/endpoint-words.ts'
import { TagsCard } from '../../entities/tag/tags-field.tsx'
import { choiceWords } from '../../lib/format/choice-words.ts'
import { useSaveForm, type FormSaving, type SaveTexts } from '../../lib/forms/use-save-form.ts'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { SwitchCard } from '../../ui/form/switch-card.tsx'
import { AgentsCard, agentOffers } from './agents-card.tsx'
import { AnswerTimeOut } from './gateway/answer-time-out.tsx'
import { EndpointSummary } from './endpoint-summary.tsx'
import type { EndpointFormState, EndpointFormValues } from './endpoint-form-values.ts'
import type { ApiChoice, EndpointInput } from './endpoint-queries.ts'
import { RunSettingsCard } from './run-settings/run-settings-card.tsx'
import { effects, profileChoices } from './run-settings/run-settings-words.ts'
import { TransformationCard } from './transformation/transformation-card.tsx'
import { ValidationCard, validationModes } from './validation-card.tsx'
import { WebSocketCard } from './web-socket-card.tsx'
import { neededField } from '../../ui/form/field-looks.ts'

interface EndpointFormProps {
  initialValues: EndpointFormValues
  apis: ApiChoice[]
  toInput: (values: EndpointFormValues) => EndpointInput
  submitLabel: string
  save: (input: EndpointInput) => Promise<{ id: number }>
  texts: SaveTexts
  target?: (saved: { id: number }) => string
  /** How many roles may call it: a move to another API takes it from them. */
  accessCount?: number
  /** The list that it was opened from. */
  listPath: string
  /** Below what the endpoint is: what else can be done with it. */
  shortcuts?: ReactNode
  /** Learns what the form holds, with every change. */
  draft?: EndpointDraft
}

/** spec: endpoint-form. */
export function EndpointForm(props: EndpointFormProps) {
  const { initialValues, apis, texts, accessCount = 0, listPath, shortcuts } = props
  const form = useForm<EndpointFormValues>({ mode: 'controlled', initialValues })
  const save = (values: EndpointFormValues) => props.save(props.toInput(values))
  const saving = useSaveForm({ form, initialValues, save, texts, target: props.target })
  const api = apis.find(({ value }) => value === form.values.api_id)
  useReport(props, form, saving, api)
  return (
    <FormFrame
      saving={saving}
      submitLabel={props.submitLabel}
      words={{
        method_type: choiceWords(methodChoices),
        api_id: choiceWords(apis),
        agent_offer: choiceWords(agentOffers),
        'validation.mode': choiceWords(validationModes),
        'run_settings.effect': choiceWords(effects),
        'run_settings.profile': choiceWords(profileChoices),
      }}
      cancelPath={listPath}
      aside={
        <EndpointSummary values={form.values} api={api}>
          {shortcuts}
        </EndpointSummary>
      }
    >
      <EndpointCard form={form} apis={apis} />
      {accessCount > 0 && form.values.api_id !== initialValues.api_id && (
        <AccessNotice count={accessCount} />
      )}
      <CustomOutputCard form={form} />
      <WebSocketCard form={form} />
      <AuthenticationCard
        form={form}
        label="Authentication"
        bearerLabel="Bearer Token"
        note={api?.demandsToken ? tokenNote(api.label) : undefined}
      />
      <HeadersCard form={form} />
      <AnswerTimeOut form={form} />
      <ValidationCard form={form} />
      <TransformationCard form={form} />
      <AgentsCard form={form} />
      <TagsCard of="endpoints" {...form.getInputProps('tags')} />
      <RunSettingsCard form={form} />
    </FormFrame>
  )
}

/** Without dependencies: each render is a change of the form. */
function useReport(
  { draft, initialValues, toInput }: EndpointFormProps,
  form: EndpointFormState,
  { isUnsaved, showErrors }: FormSaving,
  api: ApiChoice | undefined,
): void {
  useEffect(() => {
    const { values } = form
    draft?.set({
      method: values.method_type,
      path: values.path,
      context: api?.context,
      isWebSocket: values.web_socket.is_on,
      isUnsaved,
      isMoved: values.api_id !== initialValues.api_id,
      toDefinition: () => toInput(values),
      showErrors,
    })
  })
}

const tokenNote = (api: string) =>
  `${api} lets in only callers whose personal token has access, here too, even while this is off.`

const statuses = ['active', 'disabled']

function EndpointCard({ form, apis }: { form: EndpointFormState; apis: ApiChoice[] }) {
  return (
    <FormCard title="ENDPOINT">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Method"
          {...neededField}
          data={methodChoices}
          allowDeselect={false}
          {...form.getInputProps('method_type')}
        />
        <Select
          label="Status"
          data={statuses}
          allowDeselect={false}
          {...form.getInputProps('status')}
        />
      </SimpleGrid>
      <Select
        label="Api"
        {...neededField}
        data={apis}
        searchable
        allowDeselect={false}
        placeholder={apis.length === 0 ? 'Register an API first' : 'Choose an API'}
        nothingFoundMessage="No API of that name"
        {...form.getInputProps('api_id')}
      />
      <TextInput
        label="Path"
        {...neededField}
        description="Starts with /. A segment in braces is a parameter: /orders/{id}"
        spellCheck={false}
        {...form.getInputProps('path')}
      />
      <TextInput label="Summary" {...neededField} {...form.getInputProps('summery')} />
      <TextInput label="Description" {...neededField} {...form.getInputProps('description')} />
    </FormCard>
  )
}

function AccessNotice({ count }: { count: number }) {
  const roles = count === 1 ? '1 role loses its access' : `${count} roles lose their access`
  return (
    <Alert color="orange" title="Access to this endpoint is cleared">
      Access belongs to an endpoint of one API. When you save this move, {roles} to it. Give it
      again under Users Have API access.
    </Alert>
  )
}

function CustomOutputCard({ form }: { form: EndpointFormState }) {
  return (
    <SwitchCard
      label="Custom Output"
      description="The gateway then answers with a text of your own."
      isOn={form.values.enable_custom_output}
      {...form.getInputProps('enable_custom_output')}
    >
      <Textarea
        label="Output content"
        description={outputHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        rows={8}
        resize="vertical"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('custom_output')}
      />
    </SwitchCard>
  )
}

const outputHint =
  'Without placeholders this is a fixed reply, and the upstream is not called. With {{body.id}}, ' +
  '{{params.id}}, {{query.page}}, {{headers.date}} or {{status}} it is a template over the call.'

/** An endpoint's header wins over its API's of the same name. */
function HeadersCard({ form }: { form: EndpointFormState }) {
  const headers = form.values.static_headers
  return (
    <Disclosure
      title="Headers to the upstream"
      note={
        headers.length === 0 ? 'Those of the API.' : `Those of the API, and ${headers.length} more.`
      }
      isOpenWhen={Object.keys(form.errors).some((field) => field.startsWith('static_headers.'))}
    >
      <StaticHeadersFields
        form={form}
        description="They replace headers of the API of the same name."
      />
    </Disclosure>
  )
}
