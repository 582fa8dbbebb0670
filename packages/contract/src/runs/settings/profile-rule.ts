import type { AnswerCondition, AnswerRule } from '../../endpoints/answer-rule.ts'

// How profiles write their rules.

export const when = (path: string, test: AnswerCondition['test'], value = ''): AnswerCondition => ({
  path,
  test,
  value,
})

export const rule = (
  statuses: string,
  join: AnswerRule['join'] = 'all',
  ...conditions: AnswerCondition[]
): AnswerRule => ({ statuses, join, conditions })

/** Where ZATCA says why, and what it warns of. */
export const zatcaMessages =
  'validationResults.errorMessages[*].message, validationResults.warningMessages[*].message'
