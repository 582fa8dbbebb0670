import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import type { ApiDraft } from '../../../entities/api/api-draft.ts'
import { paths } from '../../../entities/paths.ts'
import { useSaveForm, type FormSaving, type SaveTexts } from '../../../lib/forms/use-save-form.ts'
import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import { FormFrame } from '../../../ui/form/form-frame.tsx'
import { BasicsCard, ConnectionCard, LimitsCard } from './api-form-cards.tsx'
import { DraftTokensCard } from '../draft/draft-tokens-card.tsx'
import { apiWords } from './api-form-words.ts'
import {
  chosenEndpoints,
  toApiInput,
  type ApiFormState,
  type ApiFormValues,
} from './api-form-values.ts'

// With all profiles of authorities, which most APIs do without.
const PlannedEndpointsCard = lazyPart(
  async () => (await import('./planned-endpoints-card.tsx')).PlannedEndpointsCard,
)

interface ApiFormProps<Answer> {
  /** Undefined while it is new. */
  apiId?: number
  submitLabel: string
  initialValues: ApiFormValues
  isPasswordStored?: boolean
  canCreateEndpoints?: boolean
  save: (values: ApiFormValues) => Promise<Answer>
  texts: SaveTexts
  target?: (answer: Answer) => string
  /** Given the form as it is, at each change. */
  draft?: ApiDraft | undefined
  /** Of the record that is edited. */
  version?: number
  /** It edits a draft. */
  isOfDraft?: boolean
}

/**
 * The spec's fields and ours, in three cards: what it is and who gets in, where calls go, what the gateway
 * limits (spec: api-form).
 */
export function ApiForm<Answer>(props: ApiFormProps<Answer>) {
  const { initialValues, isPasswordStored = false, canCreateEndpoints = false } = props
  const { isOfDraft = false, submitLabel, save, texts } = props
  const form = useForm<ApiFormValues>({ mode: 'controlled', initialValues })
  // Endpoints that are created next take the place of the form.
  const hasMore = canCreateEndpoints && chosenEndpoints(form.values).length > 0
  const target = hasMore ? () => null : props.target
  const saving = useSaveForm({ form, initialValues, secrets, save, texts, target })
  useReport(props, form, saving)
  return (
    <FormFrame saving={saving} submitLabel={submitLabel} cancelPath={paths.apis} words={apiWords}>
      {isOfDraft && <DraftTokensCard form={form} />}
      <BasicsCard form={form} isOfDraft={isOfDraft} />
      <ConnectionCard
        form={form}
        apiId={props.apiId}
        isPasswordStored={isPasswordStored}
        isOfDraft={isOfDraft}
      />
      {form.values.api_protocol === 'http' && !isOfDraft && form.values.endpoints.length > 0 && (
        <PlannedEndpointsCard form={form} canCreate={canCreateEndpoints} />
      )}
      <LimitsCard form={form} />
    </FormFrame>
  )
}

/** Without dependencies: each render is a change of the form. */
function useReport(
  { draft, version }: Pick<ApiFormProps<unknown>, 'draft' | 'version'>,
  { values }: ApiFormState,
  { isUnsaved, showErrors }: FormSaving,
): void {
  useEffect(() => {
    draft?.set({
      isHttp: values.api_protocol === 'http',
      isUnsaved,
      toDefinition: () => ({
        ...toApiInput(values),
        ...(version === undefined ? {} : { version }),
      }),
      showErrors,
    })
  })
}

/** Besides those whose names say so. */
const secrets = ['credential', 'test_credential'].flatMap((part) => [
  `${part}.headers`,
  `${part}.body`,
])
