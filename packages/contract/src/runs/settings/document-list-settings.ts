import { z } from 'zod'
import { answerRule, optionalPath } from '../../endpoints/answer-rule-input.ts'
import { documentPathProblem } from './document-path.ts'
import { text } from '../../kernel/fields.ts'
import { acrossFields } from '../../kernel/across-fields.ts'

/** A path to one place, without an index or [*]. */
const placePath = (label: string) =>
  optionalPath(label).refine((value) => documentPathProblem(value) === undefined, {
    error: `The ${label} must lead to one place, without an index or [*].`,
  })

const requiredPlace = (label: string) =>
  placePath(label).refine((value) => value !== '', { error: `The ${label} field is required.` })

/** Over one element of the list, which has no status of its own. */
const elementRule = (label: string, { isOptional = false } = {}) =>
  answerRule.superRefine((rule, context) => {
    if (isOptional && rule === null) return
    if (!rule || rule.conditions.length === 0)
      context.addIssue({
        code: 'custom',
        path: ['conditions'],
        message: `Say which element means “${label}”: add a condition.`,
      })
    if (rule && rule.statuses !== '')
      context.addIssue({
        code: 'custom',
        path: ['statuses'],
        message: 'An element of a list has no status: leave this blank.',
      })
  })

const poll = z
  .object({
    list_path: optionalPath('list path').refine((value) => value !== '', {
      error: 'The list path field is required.',
    }),
    reference_path: placePath('reference path'),
    accepted: elementRule('accepted'),
    rejected: elementRule('rejected'),
    authority_reference_path: optionalPath('authority reference path'),
    qr_path: optionalPath('QR path'),
    message_path: optionalPath('message path'),
    page_parameter: text(64, 'page parameter').refine(
      (value) => value === '' || /^[A-Za-z_][\w.[\]-]*$/.test(value),
      { error: 'The page parameter must be a name of letters, digits, _ . - and brackets.' },
    ),
    next_path: optionalPath('path of the next page'),
  })
  .nullish()
  .transform((value) => value ?? null)

interface Lists {
  accepted_path: string
  rejected_path: string
  poll: object | null
}

/** Several documents in one request, as a form sends it. Null: a request carries one at most. */
export const documentListSettings = z
  .object({
    items_path: requiredPlace('list of documents'),
    reference_path: requiredPlace('document reference path'),
    original_reference_path: placePath('original reference path'),
    accepted_path: optionalPath('list of accepted documents'),
    rejected_path: optionalPath('list of rejected documents'),
    answer_reference_path: placePath('reference path in the answer'),
    authority_reference_path: optionalPath('authority reference path'),
    message_path: optionalPath('message path'),
    duplicate: elementRule('already there', { isOptional: true }),
    poll,
  })
  .superRefine(
    ...acrossFields<Lists>(({ accepted_path, poll }, context) => {
      if (accepted_path === '' && poll === null)
        context.addIssue({
          code: 'custom',
          path: ['accepted_path'],
          message:
            'The list of accepted documents is required: what is not named there counts as unknown.',
        })
    }),
  )
  .nullish()
  .transform((settings) => settings ?? null)
