import type { Effect } from '@gatehouse/contract'
import { answerTree } from '@gatehouse/contract/answer-tree'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { freezeRequest, type FrozenRequest } from './freeze-request.ts'
import type { BodyTarget } from './bodies/plan-body.ts'
import type { AnswerOf } from '@gatehouse/contract/placeholders'
import { readDocuments, type ReadDocument } from './documents/read-document.ts'
import { resolveBody, type StepSource } from './bodies/step-body.ts'
import { judge } from './step-condition.ts'

/** A step that takes values from earlier answers: plain data that a thread can receive. */
export interface TakingStep {
  source: StepSource
  effect: Effect
  target: BodyTarget
  /** The request of an earlier send, which is sent again. */
  frozen: FrozenRequest | undefined
  /** The answers of the earlier steps, by position; under 0 the input of a workflow's run. */
  answers: ReadonlyMap<number, string>
  /** The statuses of those answers. */
  statuses?: ReadonlyMap<number, number>
}

export type ResolvedStep =
  | { ok: true; request: FrozenRequest; carried: ReadDocument }
  /** `isSkipped`: its condition does not hold. */
  | { ok: false; message: string; isSkipped?: boolean }

/** What goes out: what went out before, or the body with the values of earlier answers in it. */
export function resolveStep(step: TakingStep): ResolvedStep {
  const { source, effect, target, frozen, answers } = step
  const answerOf = parsedOnce(answers)
  const unfit = frozen ? undefined : unfitOf(step, answerOf)
  if (unfit) return unfit
  const resolved = resolveBody(source, answerOf)
  if (!resolved.ok) return resolved
  const { text } = resolved
  const carried: ReadDocument =
    effect === 'read' ? { ok: true, documents: [] } : readDocuments(target.settings, text)
  if (frozen) return { ok: true, request: frozen, carried }
  if (!carried.ok) return carried
  const freezing = freezeRequest(target, text)
  return freezing.ok ? { ok: true, request: freezing.request, carried } : freezing
}

/** Why the step is not sent: its condition over an earlier answer. */
function unfitOf({ source, answers, statuses }: TakingStep, answerOf: AnswerOf) {
  const { condition } = source
  if (!condition) return undefined
  const { step } = condition
  const seen = answers.has(step) || statuses?.has(step)
  const judged = judge(
    condition,
    seen ? { status: statuses?.get(step), body: answerOf(step) } : undefined,
  )
  if (judged.what === 'carry_out') return undefined
  return { ok: false, message: judged.message, isSkipped: judged.what === 'skip' } as const
}

/** Parses each answer once for all placeholders. */
export function parsedOnce(answers: ReadonlyMap<number, string>) {
  const read = new Map<number, ExactJson | undefined>()
  return (position: number) => {
    const text = answers.get(position)
    if (text === undefined) return undefined
    if (!read.has(position)) read.set(position, answerTree(text))
    return read.get(position)
  }
}
