import type { RunDetail, RunStepDetail } from '@gatehouse/contract'
import { diffLines, type DiffLine } from '../../../lib/format/line-diff.ts'
import { prettyJson } from '../../../lib/format/pretty-json.ts'
import type { ActionTokens } from './action-tokens.ts'
import type { RetryBody } from './run-actions.ts'

/** A step of the old run that may be corrected. */
export interface CorrectableStep {
  position: number
  endpointName: string
  method: string
  oldBody: string
  /** Null where the step can't take fields of step 1. */
  oldDependency: string | null
  /** False where the old body is too long to be edited: it goes out as it was. */
  isEditable: boolean
}

export interface Correction {
  body: string
  dependency: string
}

/** Those that did not succeed: what did is kept, and its stored answers are used. */
export function correctableSteps(run: RunDetail): CorrectableStep[] {
  return run.steps
    .filter(({ position }) => position > run.correct.kept_steps)
    .map((step) => toCorrectable(step, run.kind === 'tax' && step.position === 2))
}

/** Only step 2 of a tax bundle can take fields of step 1. */
function toCorrectable(step: RunStepDetail, canDepend: boolean): CorrectableStep {
  // Of several documents only the rejected ones are sent again.
  const old = step.rejected_body ?? step.source_body ?? step.body
  return {
    position: step.position,
    endpointName: step.endpoint_name,
    method: step.method,
    oldBody: old?.text ?? '',
    oldDependency: canDepend ? (step.dependency_field ?? '') : null,
    isEditable: old?.is_whole ?? true,
  }
}

export const startOf = (step: CorrectableStep): Correction => ({
  body: step.oldBody,
  dependency: step.oldDependency ?? '',
})

export function isCorrected(step: CorrectableStep, { body, dependency }: Correction): boolean {
  return body !== step.oldBody || dependency !== (step.oldDependency ?? '')
}

/** wire: what was left as it was is left out, and the old run's is taken. */
export function toRetryBody(
  steps: readonly CorrectableStep[],
  corrections: Readonly<Record<number, Correction>>,
  tokens: ActionTokens,
): RetryBody {
  return Object.fromEntries(
    steps.map((step) => {
      const { body, dependency } = corrections[step.position] ?? startOf(step)
      const corrected = {
        token: step.position === 1 ? tokens.first : tokens.others,
        ...(body === step.oldBody ? {} : { body }),
        ...(dependency === (step.oldDependency ?? '') ? {} : { dependency_field: dependency }),
      }
      return [`endpoint_${step.position}`, corrected]
    }),
  )
}

/** Pretty-printed where that shows the difference; as typed where only blanks differ. */
export function diffBodies(before: string, after: string): DiffLine[] {
  const old = prettyJson(before)
  const now = prettyJson(after)
  return old === now ? diffLines(before, after) : diffLines(old, now)
}

/** What becomes of the steps that have succeeded. */
export function describeKept(kept: number): string {
  if (kept === 0) return 'Every step is sent.'
  return kept === 1
    ? 'Step 1 has succeeded and will not be sent again: its stored answer is used.'
    : `Steps 1 to ${kept} have succeeded and will not be sent again: their stored answers are used.`
}
