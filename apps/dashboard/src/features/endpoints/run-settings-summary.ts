import type { AnswerRule } from '@gatehouse/contract'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import {
  defaultRunSettingsDraft,
  isSameRunSettings,
  type RunSettingsDraft,
} from './run-settings-draft.ts'

/** One line for what the settings say. */
export function summarizeRunSettings(draft: RunSettingsDraft): string {
  if (isSameRunSettings(draft, defaultRunSettingsDraft)) {
    return 'As HTTP means it: the method tells the effect, any 2xx is a success, 208 is a duplicate.'
  }
  const profile = runProfiles.find(({ name }) => name === draft.profile)
  const parts = [
    ...(profile ? [profile.title] : []),
    ...(draft.effect === '' ? [] : [`effect ${draft.effect}`]),
    ...ruleParts('success', draft.success_rule),
    ...ruleParts('rejection', draft.rejection_rule),
    ...ruleParts('duplicate', draft.duplicate_rule),
    ...(draft.is_duplicate_safe ? [safeText(draft.duplicate_safe_hours)] : []),
    ...(draft.has_status_query ? ['asks for the status'] : []),
    ...(draft.idempotency_header === '' ? [] : [`key in ${draft.idempotency_header}`]),
    ...(draft.reference_path === '' ? [] : [`documents by ${draft.reference_path}`]),
  ]
  return `${parts.join(' · ')}.`
}

const safeText = (hours: string) =>
  hours === '' ? 'duplicate-safe' : `duplicate-safe for ${hours} h`

function ruleParts(name: string, { statuses, conditions }: AnswerRule): string[] {
  if (statuses === '' && conditions.length === 0) return []
  const count = conditions.length
  const counted = count === 0 ? '' : count === 1 ? '1 condition' : `${count} conditions`
  return [`${name}: ${[statuses, counted].filter(Boolean).join(' and ')}`]
}
