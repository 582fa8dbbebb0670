import { matchesRule, type AnswerRule } from '@gatehouse/contract/answer-rule'
import type { WorkflowCondition } from '@gatehouse/contract'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { stepOfSource } from '@gatehouse/contract/request'

/** When a step is carried out. A step whose condition does not hold is skipped. */
export interface StepCondition {
  /** Where it reads: the answer of an earlier step, or 0 for the input. */
  step: number
  rule: AnswerRule
}

type Judged =
  | { what: 'carry_out' }
  | { what: 'skip'; message: string }
  /** It can't be judged, so the step is neither sent nor skipped. */
  | { what: 'refuse'; message: string }

/** What a condition looks at. The status of the input, and of an answer that a person vouched for, is undefined. */
interface Seen {
  status: number | undefined
  body: ExactJson | undefined
}

/** Undefined where the source is no earlier step; a definition that was saved has none of those. */
export function conditionOf({ source, ...rule }: WorkflowCondition): StepCondition | undefined {
  const step = stepOfSource(source)
  return step === undefined ? undefined : { step, rule }
}

/** Judges a condition. Where the earlier step left no answer, because it was skipped, nothing holds. */
export function judge({ step, rule }: StepCondition, seen: Seen | undefined): Judged {
  if (step === 0) {
    const verdict = matchesRule({ ...rule, statuses: '' }, { status: 0, body: seen?.body })
    return verdict === 'holds' ? carryOut : skip('the input does not fit its condition.')
  }
  if (seen === undefined) return skip(`its condition is over step ${step}, which has no answer.`)
  const { status, body } = seen
  const isStatusOpen = status === undefined && rule.statuses.trim() !== ''
  const verdict = isStatusOpen ? 'unreadable' : matchesRule(rule, { status: status ?? 0, body })
  if (verdict === 'holds') return carryOut
  if (verdict === 'fails') return skip(`the answer of step ${step} does not fit its condition.`)
  return {
    what: 'refuse',
    message: `Its condition can't be judged: the answer of step ${step} can't be read.`,
  }
}

const carryOut = { what: 'carry_out' } as const
const skip = (why: string) => ({ what: 'skip', message: `Skipped: ${why}` }) as const
