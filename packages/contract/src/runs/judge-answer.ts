import { z } from 'zod'
import { answerRule, optionalPath, pathList } from '../endpoints/answer-rule-input.ts'
import { conditionTests } from '../endpoints/answer-rule.ts'
import { documentListSettings } from './settings/document-list-settings.ts'
import { documentStates } from '../documents/document-states.ts'
import { methods } from '../endpoints/endpoint-methods.ts'
import { flag, idMax, strictFields } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { pendingSettings } from './settings/pending-settings.ts'
import { effectChoices } from './settings/run-settings-record.ts'
import { outcomes, stepStates } from './run-summary.ts'
import { headerLines } from '../endpoints/try-it.ts'

/** The longest answer that rules are tried on. */
export const judgedBodyMaxLength = 524_288

/** Of run settings, what reads an answer. */
const judgingSettings = z.object({
  effect: z.enum(effectChoices).default(''),
  success_rule: answerRule,
  rejection_rule: answerRule,
  duplicate_rule: answerRule,
  pending: pendingSettings,
  documents: documentListSettings,
  message_path: pathList('message path'),
  authority_reference_path: optionalPath('authority reference path'),
  qr_path: optionalPath('QR path'),
  wait_path: optionalPath('wait path'),
})

/**
 * What decided about an answer: a rule of the settings; the status alone; the sign-in of the API; that no
 * rule fits; that the pending and the rejection rule both do; that a rule can't read the body; that there
 * is no value to ask by; that an earlier attempt may have been received.
 */
const decidedBy = [
  'duplicate_rule',
  'pending_rule',
  'rejection_rule',
  'success_rule',
  'status',
  'sign_in',
  'no_rule',
  'contradiction',
  'unreadable_body',
  'nothing_to_ask_by',
  'earlier_attempt',
  'no_answer',
] as const
export type DecidedBy = (typeof decidedBy)[number]

/** In the order in which they are applied. */
export const judgingRules = [
  'duplicate_rule',
  'pending_rule',
  'rejection_rule',
  'success_rule',
] as const
export type JudgingRule = (typeof judgingRules)[number]

const judgedRule = z.object({
  rule: z.enum(judgingRules),
  verdict: z.enum(['holds', 'fails', 'unreadable']),
  /** The rule names no status, or this one. */
  fits_status: z.boolean(),
  join: z.enum(['all', 'any']),
  conditions: z.array(
    z.object({
      path: z.string(),
      test: z.enum(conditionTests),
      value: z.string(),
      /** The first values at the path, as JSON, each cut to 200 characters. */
      found: z.array(z.string()),
      found_count: z.number().int(),
      /** Null where the body can't be read. */
      holds: z.boolean().nullable(),
    }),
  ),
})
export type JudgedRule = z.output<typeof judgedRule>

/** Judges an answer as a run would, by settings that need not be stored. Nothing is kept. */
export const judgeAnswer = defineRoute({
  method: 'POST',
  path: '/api/endpoint/judge',
  access: 'endpoint.view',
  tag: 'Endpoints',
  summary: 'What run settings make of an answer, and which condition decides',
  bodyLimitBytes: 2 * 1024 * 1024,
  body: strictFields({
    method_type: z.enum(methods),
    /** Its sign-in may name further answers that refuse the credentials. Absent: no such rule. */
    api_id: z.coerce.number().int().min(1).max(idMax).optional(),
    status: z.coerce
      .number({ error: 'The status must be a number from 200 to 599.' })
      .int({ error: 'The status must be a number from 200 to 599.' })
      .min(200, { error: 'The status must be a number from 200 to 599.' })
      .max(599, { error: 'The status must be a number from 200 to 599.' }),
    headers: headerLines,
    body: z
      .string({ error: 'The body must be text.' })
      .max(judgedBodyMaxLength, { error: 'The body may not be longer than 524,288 characters.' })
      .default(''),
    /** The same bytes were sent before. */
    is_resend: flag,
    run_settings: judgingSettings,
  }),
  response: z.object({
    state: z.enum(stepStates),
    outcome: z.enum(outcomes),
    decided_by: z.enum(decidedBy),
    /** As the run's page would say it; null where there is nothing to say. */
    message: z.string().nullable(),
    /** `none`: the body is neither JSON nor XML that can be read. */
    format: z.enum(['json', 'xml', 'empty', 'none']),
    /** The rules that there are, in the order in which they are applied. */
    rules: z.array(judgedRule),
    found: z.object({
      authority_reference: z.string().nullable(),
      qr: z.string().nullable(),
      /** What the status query would ask by; null: the document's reference. */
      ask_by: z.string().nullable(),
      /** The moment before which it would not be sent again. */
      wait_until: z.string().nullable(),
    }),
    /** Of several documents, the first 100 that the answer names. */
    documents: z.array(
      z.object({
        reference: z.string(),
        state: z.enum(documentStates),
        authority_reference: z.string().nullable(),
        message: z.string().nullable(),
      }),
    ),
  }),
})
export type JudgingInput = z.input<typeof judgeAnswer.body>
export type JudgedAnswer = z.output<typeof judgeAnswer.response>

/** The last answer that a run had from an endpoint, without credentials; null where there is none. */
export const lastAnswer = defineRoute({
  method: 'GET',
  path: '/api/endpoint/:id/last-answer',
  access: 'run.view',
  tag: 'Endpoints',
  summary: 'What an endpoint answered last to a run',
  params: idParams,
  response: z
    .object({
      run_id: z.number().int(),
      position: z.number().int(),
      at: z.string(),
      is_resend: z.boolean(),
      status: z.number().int(),
      headers: z.record(z.string(), z.string()),
      /** Null where it is longer than what rules can be tried on. */
      body: z.string().nullable(),
    })
    .nullable(),
})
export type LastAnswer = NonNullable<z.output<typeof lastAnswer.response>>
