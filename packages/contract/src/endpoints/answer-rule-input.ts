import { z } from 'zod'
import { conditionTests, parseStatuses, testsWithoutValue } from './answer-rule.ts'
import type { AnswerRule, ConditionTest } from './answer-rule.ts'
import { acrossFields } from '../kernel/across-fields.ts'
import { text } from '../kernel/fields.ts'
import { parsePath } from '../mapping/paths/parse-path.ts'

export const conditionsMax = 20

/** A mapping path into an answer; blank where there is none. */
export const optionalPath = (label: string) =>
  text(256, label).superRefine((value, context) => {
    const parsed = value === '' ? undefined : parsePath(value, 'read')
    if (parsed && !parsed.ok) context.addIssue({ code: 'custom', message: parsed.message })
  })

/** Several such paths, by comma; blank where there is none. */
export const pathList = (label: string) =>
  text(500, label).superRefine((value, context) => {
    for (const path of value === '' ? [] : value.split(/,(?![^[]*\])/)) {
      const parsed = parsePath(path.trim(), 'read')
      if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message })
    }
  })

interface Condition {
  test: ConditionTest
  value: string
}

export const answerCondition = z
  .object({
    path: optionalPath('path').refine((value) => value !== '', {
      error: 'The path field is required.',
    }),
    test: z.enum(conditionTests, {
      error: `The test must be one of: ${conditionTests.join(', ')}.`,
    }),
    value: text(500, 'value'),
  })
  .superRefine(
    ...acrossFields<Condition>(({ test, value }, context) => {
      if (value === '' && !(test && testsWithoutValue.includes(test))) {
        context.addIssue({
          code: 'custom',
          path: ['value'],
          message: 'The value field is required. To look for nothing, use “is empty”.',
        })
      }
    }),
  )

/** Null stands for no rule; a rule that says nothing becomes null. */
export const answerRule = z
  .object({
    statuses: text(200, 'statuses').superRefine((value, context) => {
      const parsed = parseStatuses(value)
      if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message })
    }),
    join: z.enum(['all', 'any'], { error: 'Use all or any.' }).default('all'),
    conditions: z
      .array(answerCondition, { error: 'The conditions must be a list.' })
      .max(conditionsMax, { error: `A rule takes at most ${conditionsMax} conditions.` })
      .default([]),
  })
  .nullish()
  .transform((rule): AnswerRule | null =>
    !rule || (rule.statuses === '' && rule.conditions.length === 0) ? null : rule,
  )

/** A rule that may not be blank. */
export const requiredRule = (label: string) =>
  answerRule.refine((rule) => rule !== null, {
    error: `Say which answer means “${label}”: statuses, conditions or both.`,
    path: ['statuses'],
  })
