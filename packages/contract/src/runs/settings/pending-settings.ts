import { z } from 'zod'
import { optionalPath, requiredRule } from '../../endpoints/answer-rule-input.ts'
import { acrossFields } from '../../kernel/across-fields.ts'
import { optionalInteger, text } from '../../kernel/fields.ts'
import { defaultPendingTimes } from './run-profiles.ts'

const daySeconds = 86_400
const monthMinutes = 43_200

const seconds = (label: string, standard: number) =>
  optionalInteger(label, 1, daySeconds).transform((value) => value ?? standard)

const factorProblem = 'The factor must be a number from 1 to 10, like 1.5.'
const factor = text(20, 'factor')
  .refine((value) => value === '' || (/^\d+(\.\d+)?$/.test(value) && isFactor(Number(value))), {
    error: factorProblem,
  })
  .transform((value) => (value === '' ? defaultPendingTimes.factor : Number(value)))

const isFactor = (value: number) => value >= 1 && value <= 10

interface Times {
  first_after_seconds: number
  max_every_seconds: number
}

/** Which answer means "taken, decided later", as a form sends it. Null: none does. */
export const pendingSettings = z
  .object({
    rule: requiredRule('taken, decided later'),
    parameter_path: optionalPath('path of the value to ask by'),
    first_after_seconds: seconds('first question', defaultPendingTimes.first_after_seconds),
    factor,
    max_every_seconds: seconds('longest wait', defaultPendingTimes.max_every_seconds),
    give_up_minutes: optionalInteger('time to give up', 1, monthMinutes).transform(
      (value) => value ?? defaultPendingTimes.give_up_minutes,
    ),
  })
  .superRefine(
    ...acrossFields<Times>(({ first_after_seconds, max_every_seconds }, context) => {
      if ((first_after_seconds ?? 0) > (max_every_seconds ?? daySeconds)) {
        context.addIssue({
          code: 'custom',
          path: ['max_every_seconds'],
          message: 'The longest wait may not be shorter than the first one.',
        })
      }
    }),
  )
  .nullish()
  .transform((settings) => settings ?? null)
