import { z } from 'zod'
import { answerRule, optionalPath, pathList } from '../../endpoints/answer-rule-input.ts'
import { bodyFormatOf, contentTypeProblem } from '../../endpoints/body-format.ts'
import { documentListSettings } from './document-list-settings.ts'
import { documentPathProblem } from './document-path.ts'
import { acrossFields, type SoFar } from '../../kernel/across-fields.ts'
import { flag, optionalInteger, text } from '../../kernel/fields.ts'
import { idleProfileProblem, withProfileFilled } from './fill-profile.ts'
import { runHeaderProblem } from './run-header.ts'
import { pendingSettings } from './pending-settings.ts'
import {
  effectChoices,
  healingChoices,
  runProfileNames,
  type DocumentListSettings,
  type PendingSettings,
  type RunSettings,
} from './run-settings-record.ts'
import { statusQuery } from './status-query-input.ts'

export { bodyFormatOf, hasQueryBody, requestFormatOf } from '../../endpoints/body-format.ts'
export type { BodyFormat } from '../../endpoints/body-format.ts'
export { documentPathProblem } from './document-path.ts'
export { defaultRunSettings } from './run-profiles.ts'
export * from './run-settings-record.ts'

const optionalChoice = <const C extends readonly ['', ...string[]]>(choices: C, label: string) =>
  text(100, label)
    .refine((value) => choices.includes(value), {
      error: `The ${label} must be one of: ${choices.filter(Boolean).join(', ')}.`,
    })
    .transform((value) => value as C[number])

const header = text(100, 'idempotency header').superRefine((value, context) => {
  const problem = value === '' ? undefined : runHeaderProblem(value)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

const contentType = text(100, 'content type').superRefine((value, context) => {
  const problem = value === '' ? undefined : contentTypeProblem(value)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

interface CrossChecked {
  content_type: string
  reference_path: string
  original_reference_path: string
  duplicate_safe_minutes: number | null
  is_duplicate_safe: boolean
  healing: string
  status_query: object | null
  pending: PendingSettings | null
  documents: DocumentListSettings | null
}

/** Settings that contradict several documents in one request. */
function checkDocuments(
  settings: SoFar<CrossChecked>,
  context: Pick<z.RefinementCtx, 'addIssue'>,
): void {
  const refuse = (path: string[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  for (const field of ['reference_path', 'original_reference_path'] as const)
    if ((settings[field] ?? '') !== '')
      refuse([field], 'Leave this blank: the references are inside the list of documents.')
  if (bodyFormatOf(settings.content_type ?? '') !== 'json')
    refuse(['documents', 'items_path'], 'Several documents are read from JSON bodies only.')
  if (!settings.pending) return
  if (settings.pending.parameter_path === '')
    refuse(
      ['pending', 'parameter_path'],
      'Several documents have no reference in common: name a value of the answer to ask by.',
    )
  if (settings.documents?.poll === null)
    refuse(
      ['documents', 'poll', 'list_path'],
      'Say where the status query names the documents, because the authority decides later.',
    )
}

/** Nothing is known, and nothing may be sent again, without one of the two. */
function healingProblem({ healing, status_query, is_duplicate_safe }: SoFar<CrossChecked>) {
  if ((status_query ?? null) !== null) return undefined
  if (healing === 'ask') return 'To ask, healing needs a status query.'
  return healing === 'ask_and_send' && !is_duplicate_safe
    ? 'Healing needs a status query, or an endpoint that is duplicate-safe.'
    : undefined
}

const settingsFields = z
  .object({
    profile: optionalChoice(runProfileNames, 'profile'),
    effect: optionalChoice(effectChoices, 'effect'),
    success_rule: answerRule,
    rejection_rule: answerRule,
    duplicate_rule: answerRule,
    is_duplicate_safe: flag,
    duplicate_safe_minutes: optionalInteger('duplicate-safe minutes', 1, 525_600),
    healing: optionalChoice(healingChoices, 'healing'),
    healing_hours: optionalInteger('healing hours', 1, 720),
    status_query: statusQuery,
    pending: pendingSettings,
    documents: documentListSettings,
    idempotency_header: header,
    content_type: contentType,
    reference_path: optionalPath('document reference path'),
    original_reference_path: optionalPath('original reference path'),
    message_path: pathList('message path'),
    authority_reference_path: optionalPath('authority reference path'),
    qr_path: optionalPath('QR path'),
    wait_path: optionalPath('wait path'),
  })
  .superRefine(
    ...acrossFields<CrossChecked>((settings, context) => {
      if ((settings.original_reference_path ?? '') !== '' && settings.reference_path === '') {
        context.addIssue({
          code: 'custom',
          path: ['reference_path'],
          message: 'The document reference path is required where an original reference is read.',
        })
      }
      if (
        (settings.reference_path ?? '') !== '' &&
        !['json', 'xml'].includes(bodyFormatOf(settings.content_type ?? ''))
      ) {
        context.addIssue({
          code: 'custom',
          path: ['reference_path'],
          message: `No document reference can be read from ${settings.content_type}: bodies must be JSON or XML.`,
        })
      }
      if ((settings.pending ?? null) !== null && settings.status_query === null) {
        context.addIssue({
          code: 'custom',
          path: ['status_query'],
          message: 'An answer that decides later needs a status query: it asks for the decision.',
        })
      }
      if (settings.documents) checkDocuments(settings, context)
      const healing = healingProblem(settings)
      if (healing) context.addIssue({ code: 'custom', path: ['healing'], message: healing })
      if ((settings.duplicate_safe_minutes ?? null) !== null && !settings.is_duplicate_safe) {
        context.addIssue({
          code: 'custom',
          path: ['duplicate_safe_minutes'],
          message: 'Minutes only count where the endpoint is duplicate-safe.',
        })
      }
    }),
  )

/** Earlier versions counted the window in hours. */
function withMinutes(settings: unknown): unknown {
  if (typeof settings !== 'object' || settings === null) return settings
  const { duplicate_safe_hours: hours, ...rest } = settings as Record<string, unknown>
  const isHours = typeof hours === 'number' || (typeof hours === 'string' && hours.trim() !== '')
  return isHours ? { duplicate_safe_minutes: Number(hours) * 60, ...rest } : rest
}

/** As an endpoint may have stored them; earlier versions took reference paths into lists. */
export const storedRunSettings = z.preprocess(
  withMinutes,
  settingsFields,
) as unknown as typeof settingsFields

const checkedSettings = settingsFields.superRefine(
  ...acrossFields<Pick<CrossChecked, 'reference_path' | 'original_reference_path'>>(
    (settings, context) => {
      const idle = idleProfileProblem(settings as Partial<RunSettings>)
      if (idle) context.addIssue({ code: 'custom', path: ['profile'], message: idle })
      for (const field of ['reference_path', 'original_reference_path'] as const) {
        const message = documentPathProblem(settings[field] ?? '')
        if (message) context.addIssue({ code: 'custom', path: [field], message })
      }
    },
  ),
)
/**
 * The settings as a form or a call sends them: what is absent is what the profile says, and the default without
 * one. A profile of which nothing is in the settings is refused.
 */
export const runSettings = z.preprocess(
  (settings) => withProfileFilled(withMinutes(settings)),
  checkedSettings,
) as unknown as typeof checkedSettings
export type RunSettingsInput = z.input<typeof runSettings>
