import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import type { ApiDraft } from '../../entities/api/api-draft.ts'
import { paths } from '../../entities/paths.ts'
import { useSaveForm, type FormSaving, type SaveTexts } from '../../lib/use-save-form.ts'
import { FormFrame } from '../../ui/form-frame.tsx'
import { BasicsCard, ConnectionCard, LimitsCard } from './api-form-cards.tsx'
import { DraftTokensCard } from './draft/draft-tokens-card.tsx'
import { apiWords } from './api-form-words.ts'
import {
  chosenEndpoints,
  toApiInput,
  type ApiFormState,
  type ApiFormValues,
} from './api-form-values.ts'
import { PlannedEndpointsCard } from './planned-endpoints-card.tsx'

interface ApiFormProps {
  /** Undefined while it is new. */
  apiId?: number
  initialValues: ApiFormValues
  isPasswordStored?: boolean
  canCreateEndpoints?: boolean
  save: (values: ApiFormValues) => Promise<unknown>
  texts: SaveTexts
  onReload?: () => void
  /** Given the form as it is, at each change. */
  draft?: ApiDraft | undefined
  /** Of the record that is edited. */
  version?: number
  /** It edits a draft: stays there after a save. */
  isOfDraft?: boolean
}

/**
 * The spec's fields and ours, in three cards: what it is and who gets in, where calls go, what the gateway
 * limits. The button reads alike on both (spec: api-form).
 */
export function ApiForm(props: ApiFormProps) {
  const { initialValues, isPasswordStored = false, canCreateEndpoints = false } = props
  const { isOfDraft = false } = props
  const { save, texts, onReload } = props
  const form = useForm<ApiFormValues>({ mode: 'controlled', initialValues })
  // Endpoints that are created next take the place of the form.
  const hasMore = canCreateEndpoints && chosenEndpoints(form.values).length > 0
  const target = hasMore || isOfDraft ? null : paths.apis
  const saving = useSaveForm({ form, initialValues, secrets, save, texts, target })
  useReport(props, form, saving)
  return (
    <FormFrame
      saving={saving}
      submitLabel={isOfDraft ? 'Save draft' : 'Create API'}
      cancelPath={paths.apis}
      words={apiWords}
      onReload={onReload}
    >
      {isOfDraft && <DraftTokensCard form={form} />}
      <BasicsCard form={form} isOfDraft={isOfDraft} />
      <ConnectionCard form={form} apiId={props.apiId} isPasswordStored={isPasswordStored} />
      {form.values.api_protocol === 'http' && !isOfDraft && (
        <PlannedEndpointsCard form={form} canCreate={canCreateEndpoints} />
      )}
      <LimitsCard form={form} />
    </FormFrame>
  )
}

/** Without dependencies: each render is a change of the form. */
function useReport(
  { draft, version }: ApiFormProps,
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
