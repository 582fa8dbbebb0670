import { z } from 'zod'
import { answerRule, optionalPath, requiredRule } from '../../endpoints/answer-rule-input.ts'
import { optionalInteger, text } from '../../kernel/fields.ts'
import { defaultQuietSeconds } from './run-profiles.ts'

const parameterName = /^[A-Za-z_][\w.-]*$/
const parameterProblem = 'The parameter must be a name of letters, digits, _ . and -.'

/** The status query of an endpoint's run settings, as a form sends it. Null: none. */
export const statusQuery = z
  .object({
    endpoint_id: optionalInteger('status query endpoint', 1, 999_999_999)
      .refine((value) => value !== null, { error: 'Choose the endpoint that is asked.' })
      .transform(Number),
    parameter: text(64, 'parameter')
      .transform((value) => value || 'reference')
      .refine((value) => parameterName.test(value), { error: parameterProblem }),
    reference_parameter: text(64, 'parameter of the own number')
      .refine((value) => value === '' || parameterName.test(value), { error: parameterProblem })
      .transform((value) => value || undefined),
    received: requiredRule('received'),
    not_received: requiredRule('not received'),
    pending: answerRule,
    rejected: answerRule,
    message_path: optionalPath('message path'),
    reference_path: optionalPath('authority reference path'),
    quiet_seconds: optionalInteger('quiet period', 1, 86_400).transform(
      (value) => value ?? defaultQuietSeconds,
    ),
  })
  .nullish()
  .transform((query) => query ?? null)
