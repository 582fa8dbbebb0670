import type { Effect } from '@gatehouse/contract'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { readBody } from './classify-answer.ts'
import { freezeRequest, type FrozenRequest } from './freeze-request.ts'
import type { BodyTarget } from './plan-body.ts'
import { readDocument, type ReadDocument } from './read-document.ts'
import { resolveBody, type StepSource } from './step-body.ts'

/** A step that takes values from earlier answers: plain data that a thread can receive. */
export interface TakingStep {
  source: StepSource
  effect: Effect
  target: BodyTarget
  /** The request of an earlier send, which is sent again. */
  frozen: FrozenRequest | undefined
  /** The answers of the earlier steps, by position. */
  answers: ReadonlyMap<number, string>
}

export type ResolvedStep =
  | { ok: true; request: FrozenRequest; carried: ReadDocument }
  | { ok: false; message: string }

/** What goes out: what went out before, or the body with the values of earlier answers in it. */
export function resolveStep(step: TakingStep): ResolvedStep {
  const { source, effect, target, frozen, answers } = step
  const resolved = resolveBody(source, parsedOnce(answers))
  if (!resolved.ok) return resolved
  const { text } = resolved
  const carried: ReadDocument =
    effect === 'read' ? { ok: true, document: undefined } : readDocument(target.settings, text)
  if (frozen) return { ok: true, request: frozen, carried }
  if (!carried.ok) return carried
  const freezing = freezeRequest(target, text)
  return freezing.ok ? { ok: true, request: freezing.request, carried } : freezing
}

/** Parses each answer once for all placeholders. */
function parsedOnce(answers: ReadonlyMap<number, string>) {
  const read = new Map<number, ExactJson | undefined>()
  return (position: number) => {
    const text = answers.get(position)
    if (text === undefined) return undefined
    if (!read.has(position)) read.set(position, readBody(text))
    return read.get(position)
  }
}
