import { Button, Group } from '@mantine/core'
import { useId, useState } from 'react'
import type { AnswerRule } from '@gatehouse/contract'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import { Loading } from '../../../ui/page/loading.tsx'
import { useAllShown } from '../../../ui/table/all-shown.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import {
  defaultRunSettingsDraft,
  isSameRunSettings,
  type RunSettingsDraft,
} from './run-settings-draft.ts'

// Most endpoints keep the defaults.
const RunSettingsFields = lazyPart(
  async () => (await import('./run-settings-fields.tsx')).RunSettingsFields,
  <Loading />,
)

/**
 * How tax and credit runs treat the endpoint. One line while it has the defaults; opened by
 * hand, and by a message that belongs to one of its fields.
 */
export function RunSettingsCard({ form }: { form: EndpointFormState }) {
  const fieldsId = useId()
  const draft = form.values.run_settings
  const [isOpened, setIsOpened] = useState(() => !isSameRunSettings(draft, defaultRunSettingsDraft))
  const hasErrors = Object.keys(form.errors).some((field) => field.startsWith('run_settings'))
  const isOpen = isOpened || hasErrors
  const isAllShown = useAllShown()
  return (
    <FormCard title="Tax and credit runs" description={summarizeRunSettings(draft)}>
      <Group>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          aria-controls={fieldsId}
          disabled={hasErrors}
          onClick={() => setIsOpened(!isOpen)}
        >
          {isOpen ? 'Hide these settings' : 'Change these settings'}
        </Button>
      </Group>
      <div id={fieldsId} hidden={!isOpen}>
        {(isOpen || isAllShown) && <RunSettingsFields form={form} />}
      </div>
    </FormCard>
  )
}

/** One line for what the settings say. */
function summarizeRunSettings(draft: RunSettingsDraft): string {
  if (isSameRunSettings(draft, defaultRunSettingsDraft)) {
    return 'As HTTP means it: the method decides the effect, any 2xx is a success, 208 is a duplicate.'
  }
  const profile = runProfiles.find(({ name }) => name === draft.profile)
  const parts = [
    ...(profile ? [profile.title] : []),
    ...(draft.effect === '' ? [] : [`effect ${draft.effect}`]),
    ...ruleParts('success', draft.success_rule),
    ...ruleParts('rejection', draft.rejection_rule),
    ...ruleParts('duplicate', draft.duplicate_rule),
    ...(draft.is_duplicate_safe ? [safeText(draft.duplicate_safe_minutes)] : []),
    ...(draft.has_status_query ? ['asks for the status'] : []),
    ...(draft.has_status_query && draft.has_pending ? ['decided later'] : []),
    ...(draft.has_documents ? [`several documents in ${draft.documents.items_path}`] : []),
    ...(draft.idempotency_header === '' ? [] : [`key in ${draft.idempotency_header}`]),
    ...(draft.content_type === '' ? [] : [`bodies as ${draft.content_type}`]),
    ...(draft.reference_path === '' ? [] : [`documents by ${draft.reference_path}`]),
  ]
  const text = parts.join(' · ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const safeText = (minutes: string) =>
  minutes === '' ? 'duplicate-safe' : `duplicate-safe for ${minutes} min`

function ruleParts(name: string, { statuses, conditions }: AnswerRule): string[] {
  if (statuses === '' && conditions.length === 0) return []
  const count = conditions.length
  const counted = count === 0 ? '' : count === 1 ? '1 condition' : `${count} conditions`
  return [`${name}: ${[statuses, counted].filter(Boolean).join(' and ')}`]
}
