import type { AnswerRule } from '@gatehouse/contract'

/** How a form holds a rule that says nothing. */
export const blankRule: AnswerRule = { statuses: '', join: 'all', conditions: [] }

export const isBlankRule = ({ statuses, conditions }: AnswerRule): boolean =>
  statuses.trim() === '' && conditions.length === 0
