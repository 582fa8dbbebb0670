import type { Caller } from '../../../kernel/caller.ts'
import type { Answered } from '../actions/status-query/weighed-answer.ts'
import type { Target } from '../steps/target.ts'

/** A question about a pending step, and what is needed to store its answer. */
export interface Settling {
  /** The question and its answer; undefined where it could not be asked. */
  answered: Answered | undefined
  /** The endpoint of the step. */
  target: Target | undefined
  /** What the authority was asked by; null: the document's reference. */
  askBy: string | null
  /** Who asked; undefined: the product. */
  caller: Caller | undefined
  owner: string
  leaseUntil: string
  at: Date
}
