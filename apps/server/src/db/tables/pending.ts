import type { HealingPlan } from '@gatehouse/contract'
import { column, generatedNumber, number, numberOrNull, text, textOrNull } from './column.ts'

/** Asks an authority for the decision about one submission. */
export const pendingPoll = {
  id: generatedNumber,
  submission: text,
  /** The value from the authority's answer; null: the document's reference is asked by. */
  ask_by: textOrNull,
  tries: generatedNumber,
  next_at: text,
  asked_at: textOrNull,
  /** Why the last question brought no answer. */
  problem: textOrNull,
  lease_owner: textOrNull,
  lease_until: textOrNull,
}

/** A step that an authority decides later. */
export const pendingStep = {
  step_id: number,
  run_id: number,
  /** Null: it was accepted, and the run goes on with its next step. */
  poll_id: numberOrNull,
  since: text,
}

/** A step that a person called not received, and the poll that goes on asking about it. */
export const verdictWatch = {
  step_id: number,
  poll_id: number,
  run_id: number,
  /** When the person said so. */
  since: text,
}

/** A step whose outcome is unknown, and when the healing keeper looks at it next. */
export const healingStep = {
  step_id: number,
  run_id: number,
  since: text,
  /** Questions and repetitions so far. */
  tries: generatedNumber,
  /** Null: it was given up. */
  next_at: textOrNull,
  plan: column<HealingPlan>(),
}
