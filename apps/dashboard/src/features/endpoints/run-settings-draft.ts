import type { AnswerRule, RunSettings, RunSettingsInput } from '@gatehouse/contract'
import { defaultQuietSeconds, defaultRunSettings } from '@gatehouse/contract/run-profiles'

/** The run settings as the form holds them: a rule that says nothing is blank instead of null. */
export interface RunSettingsDraft {
  profile: string
  effect: string
  success_rule: AnswerRule
  rejection_rule: AnswerRule
  duplicate_rule: AnswerRule
  is_duplicate_safe: boolean
  duplicate_safe_hours: string
  /** Off leaves the status query out; what was typed stays until the form is saved. */
  has_status_query: boolean
  status_query: {
    endpoint_id: string
    parameter: string
    received: AnswerRule
    not_received: AnswerRule
    reference_path: string
    quiet_seconds: string
  }
  idempotency_header: string
  content_type: string
  reference_path: string
  original_reference_path: string
  authority_reference_path: string
  qr_path: string
}

const blankRule: AnswerRule = { statuses: '', join: 'all', conditions: [] }

const blankStatusQuery: RunSettingsDraft['status_query'] = {
  endpoint_id: '',
  parameter: 'reference',
  received: blankRule,
  not_received: blankRule,
  reference_path: '',
  quiet_seconds: String(defaultQuietSeconds),
}

export function toRunSettingsDraft(settings: RunSettings): RunSettingsDraft {
  const { status_query, duplicate_safe_hours, ...rest } = settings
  return {
    ...rest,
    success_rule: settings.success_rule ?? blankRule,
    rejection_rule: settings.rejection_rule ?? blankRule,
    duplicate_rule: settings.duplicate_rule ?? blankRule,
    duplicate_safe_hours: duplicate_safe_hours === null ? '' : String(duplicate_safe_hours),
    has_status_query: status_query !== null,
    status_query: status_query
      ? {
          ...status_query,
          endpoint_id: String(status_query.endpoint_id),
          quiet_seconds: String(status_query.quiet_seconds),
        }
      : blankStatusQuery,
  }
}

/** What an endpoint has that says nothing of runs. */
export const defaultRunSettingsDraft = toRunSettingsDraft(defaultRunSettings)

/** wire: without a status query it is null; hours only count where the endpoint is duplicate-safe. */
export function toRunSettingsInput(draft: RunSettingsDraft): RunSettingsInput {
  const { has_status_query, status_query, ...rest } = draft
  return {
    ...rest,
    duplicate_safe_hours: draft.is_duplicate_safe ? draft.duplicate_safe_hours : '',
    status_query: has_status_query ? status_query : null,
  }
}

export const isSameRunSettings = (one: RunSettingsDraft, other: RunSettingsDraft) =>
  JSON.stringify(toRunSettingsInput(one)) === JSON.stringify(toRunSettingsInput(other))

/**
 * The settings of a profile over what the form holds. What only the installation can know stays: the
 * status query, and the paths that the profile leaves blank.
 */
export function withProfile(draft: RunSettingsDraft, settings: RunSettings): RunSettingsDraft {
  return {
    ...toRunSettingsDraft(settings),
    has_status_query: draft.has_status_query,
    status_query: draft.status_query,
    content_type: settings.content_type || draft.content_type,
    reference_path: settings.reference_path || draft.reference_path,
    original_reference_path: settings.original_reference_path || draft.original_reference_path,
  }
}
