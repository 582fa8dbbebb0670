import type {
  AnswerRule,
  DocumentListSettings,
  RunSettings,
  RunSettingsInput,
  StatusQuery,
} from '@gatehouse/contract'
import {
  defaultPendingTimes,
  defaultQuietSeconds,
  defaultRunSettings,
  type RunProfile,
} from '@gatehouse/contract/run-profiles'
import { blankRule } from '../../../entities/answer-rule/blank-rule.ts'

/** The run settings as the form holds them: a rule that says nothing is blank instead of null. */
export interface RunSettingsDraft {
  profile: string
  effect: string
  success_rule: AnswerRule
  rejection_rule: AnswerRule
  duplicate_rule: AnswerRule
  is_duplicate_safe: boolean
  duplicate_safe_minutes: string
  healing: string
  healing_hours: string
  /** Off leaves the status query out; what was typed stays until the form is saved. */
  has_status_query: boolean
  status_query: {
    endpoint_id: string
    parameter: string
    reference_parameter: string
    received: AnswerRule
    not_received: AnswerRule
    pending: AnswerRule
    rejected: AnswerRule
    message_path: string
    reference_path: string
    quiet_seconds: string
  }
  /** Off leaves it out, like the status query that it needs. */
  has_pending: boolean
  pending: {
    rule: AnswerRule
    parameter_path: string
    first_after_seconds: string
    factor: string
    max_every_seconds: string
    give_up_minutes: string
  }
  has_documents: boolean
  documents: Omit<DocumentListSettings, 'poll' | 'duplicate'> & {
    duplicate: AnswerRule
    poll: PollDraft
  }
  idempotency_header: string
  content_type: string
  reference_path: string
  original_reference_path: string
  message_path: string
  authority_reference_path: string
  qr_path: string
  wait_path: string
}

type PollDraft = Omit<NonNullable<DocumentListSettings['poll']>, 'accepted' | 'rejected'> & {
  accepted: AnswerRule
  rejected: AnswerRule
}

const blankStatusQuery: RunSettingsDraft['status_query'] = {
  endpoint_id: '',
  parameter: 'reference',
  reference_parameter: '',
  received: blankRule,
  not_received: blankRule,
  pending: blankRule,
  rejected: blankRule,
  message_path: '',
  reference_path: '',
  quiet_seconds: String(defaultQuietSeconds),
}

function toPendingDraft(pending: RunSettings['pending']): RunSettingsDraft['pending'] {
  const times = pending ?? defaultPendingTimes
  return {
    rule: pending?.rule ?? blankRule,
    parameter_path: pending?.parameter_path ?? '',
    first_after_seconds: String(times.first_after_seconds),
    factor: String(times.factor),
    max_every_seconds: String(times.max_every_seconds),
    give_up_minutes: String(times.give_up_minutes),
  }
}

const blankPoll: PollDraft = {
  list_path: '',
  reference_path: '',
  accepted: blankRule,
  rejected: blankRule,
  authority_reference_path: '',
  qr_path: '',
  message_path: '',
  page_parameter: '',
  next_path: '',
}

const blankDocuments: RunSettingsDraft['documents'] = {
  items_path: '',
  reference_path: '',
  original_reference_path: '',
  accepted_path: '',
  rejected_path: '',
  answer_reference_path: '',
  authority_reference_path: '',
  message_path: '',
  duplicate: blankRule,
  poll: blankPoll,
}

function toDocumentsDraft(documents: RunSettings['documents']): RunSettingsDraft['documents'] {
  if (!documents) return blankDocuments
  const { poll } = documents
  const drafted = poll && {
    ...poll,
    accepted: poll.accepted ?? blankRule,
    rejected: poll.rejected ?? blankRule,
  }
  const duplicate = documents.duplicate ?? blankRule
  return { ...documents, duplicate, poll: drafted ?? blankPoll }
}

function toStatusDraft(query: Omit<StatusQuery, 'endpoint_id'>) {
  return {
    ...query,
    reference_parameter: query.reference_parameter ?? '',
    pending: query.pending ?? blankRule,
    rejected: query.rejected ?? blankRule,
    quiet_seconds: String(query.quiet_seconds),
  }
}

export function toRunSettingsDraft(settings: RunSettings): RunSettingsDraft {
  const { status_query, duplicate_safe_minutes, healing_hours, pending, documents, ...rest } =
    settings
  return {
    ...rest,
    success_rule: settings.success_rule ?? blankRule,
    rejection_rule: settings.rejection_rule ?? blankRule,
    duplicate_rule: settings.duplicate_rule ?? blankRule,
    duplicate_safe_minutes: duplicate_safe_minutes === null ? '' : String(duplicate_safe_minutes),
    healing_hours: healing_hours === null ? '' : String(healing_hours),
    has_status_query: status_query !== null,
    status_query: status_query
      ? { ...toStatusDraft(status_query), endpoint_id: String(status_query.endpoint_id) }
      : blankStatusQuery,
    has_pending: pending !== null,
    pending: toPendingDraft(pending),
    has_documents: documents !== null,
    documents: toDocumentsDraft(documents),
  }
}

/** What an endpoint has that says nothing of runs. */
export const defaultRunSettingsDraft = toRunSettingsDraft(defaultRunSettings)

/**
 * wire: without a status query it is null, and so is what needs one; hours only count where the endpoint
 * is duplicate-safe. The references of several documents are inside their list.
 */
export function toRunSettingsInput(draft: RunSettingsDraft): RunSettingsInput {
  const { has_status_query, status_query, has_pending, pending, ...others } = draft
  const { has_documents, documents, ...rest } = others
  const isLater = has_status_query && has_pending
  return {
    ...rest,
    ...(has_documents ? { reference_path: '', original_reference_path: '' } : {}),
    pending: isLater ? pending : null,
    documents: has_documents ? { ...documents, poll: isLater ? documents.poll : null } : null,
    duplicate_safe_minutes: draft.is_duplicate_safe ? draft.duplicate_safe_minutes : '',
    // Without either there is nothing to heal by.
    healing: has_status_query || draft.is_duplicate_safe ? draft.healing : '',
    status_query: has_status_query ? status_query : null,
  }
}

export const isSameRunSettings = (one: RunSettingsDraft, other: RunSettingsDraft) =>
  JSON.stringify(toRunSettingsInput(one)) === JSON.stringify(toRunSettingsInput(other))

/**
 * The settings of a profile over what the form holds. What only the installation can know stays: the
 * status query, and the paths that the profile leaves blank.
 */
export function withProfile(draft: RunSettingsDraft, profile: RunProfile): RunSettingsDraft {
  const { settings, later } = profile
  const filled = toRunSettingsDraft(settings)
  return {
    ...filled,
    has_status_query: draft.has_status_query || later !== undefined,
    status_query: later
      ? { ...toStatusDraft(later.status_query), endpoint_id: draft.status_query.endpoint_id }
      : draft.status_query,
    has_pending: later !== undefined,
    pending: toPendingDraft(later?.pending ?? null),
    content_type: settings.content_type || draft.content_type,
    reference_path: settings.reference_path || draft.reference_path,
    original_reference_path: settings.original_reference_path || draft.original_reference_path,
  }
}
