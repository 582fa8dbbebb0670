import { z } from 'zod'
import { answerRule, optionalPath } from './answer-rule-input.ts'
import { bodyFormatOf, contentTypeProblem } from './body-format.ts'
import { documentPathProblem } from './document-path.ts'
import { acrossFields } from './kernel/across-fields.ts'
import { flag, optionalInteger, text } from './kernel/fields.ts'
import { runHeaderProblem } from './run-header.ts'
import { defaultQuietSeconds } from './run-profiles.ts'
import { effectChoices, runProfileNames } from './run-settings-record.ts'

export { bodyFormatOf, hasQueryBody, requestFormatOf } from './body-format.ts'
export type { BodyFormat } from './body-format.ts'
export { documentPathProblem } from './document-path.ts'
export { defaultRunSettings } from './run-profiles.ts'
export * from './run-settings-record.ts'

const optionalChoice = <const C extends readonly ['', ...string[]]>(choices: C, label: string) =>
  text(100, label)
    .refine((value) => choices.includes(value), {
      error: `The ${label} must be one of: ${choices.filter(Boolean).join(', ')}.`,
    })
    .transform((value) => value as C[number])

const requiredRule = (label: string) =>
  answerRule.refine((rule) => rule !== null, {
    error: `Say which answer means “${label}”: statuses, conditions or both.`,
    path: ['statuses'],
  })

const statusQuery = z
  .object({
    endpoint_id: optionalInteger('status query endpoint', 1, 999_999_999)
      .refine((value) => value !== null, { error: 'Choose the endpoint that is asked.' })
      .transform(Number),
    parameter: text(64, 'parameter')
      .transform((value) => value || 'reference')
      .refine((value) => /^[A-Za-z_][\w.-]*$/.test(value), {
        error: 'The parameter must be a name of letters, digits, _ . and -.',
      }),
    received: requiredRule('received'),
    not_received: requiredRule('not received'),
    reference_path: optionalPath('authority reference path'),
    quiet_seconds: optionalInteger('quiet period', 1, 86_400).transform(
      (value) => value ?? defaultQuietSeconds,
    ),
  })
  .nullish()
  .transform((query) => query ?? null)

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
  duplicate_safe_hours: number | null
  is_duplicate_safe: boolean
}

/** As an endpoint may have stored them; earlier versions took reference paths into lists. */
export const storedRunSettings = z
  .object({
    profile: optionalChoice(runProfileNames, 'profile'),
    effect: optionalChoice(effectChoices, 'effect'),
    success_rule: answerRule,
    rejection_rule: answerRule,
    duplicate_rule: answerRule,
    is_duplicate_safe: flag,
    duplicate_safe_hours: optionalInteger('duplicate-safe hours', 1, 8760),
    status_query: statusQuery,
    idempotency_header: header,
    content_type: contentType,
    reference_path: optionalPath('document reference path'),
    original_reference_path: optionalPath('original reference path'),
    authority_reference_path: optionalPath('authority reference path'),
    qr_path: optionalPath('QR path'),
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
      if ((settings.duplicate_safe_hours ?? null) !== null && !settings.is_duplicate_safe) {
        context.addIssue({
          code: 'custom',
          path: ['duplicate_safe_hours'],
          message: 'Hours only count where the endpoint is duplicate-safe.',
        })
      }
    }),
  )

/** The settings as the endpoint's form sends them; every field has a default. */
export const runSettings = storedRunSettings.superRefine(
  ...acrossFields<Pick<CrossChecked, 'reference_path' | 'original_reference_path'>>(
    (settings, context) => {
      for (const field of ['reference_path', 'original_reference_path'] as const) {
        const message = documentPathProblem(settings[field] ?? '')
        if (message) context.addIssue({ code: 'custom', path: [field], message })
      }
    },
  ),
)
export type RunSettingsInput = z.input<typeof runSettings>
