import type { RunSummary } from '@gatehouse/contract'
import { allOf } from '../../../../db/all-of.ts'
import { readRow } from '../../../../db/tables/column.ts'
import { runBrief, stepBrief } from '../../../../db/tables/runs.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import type { CallContext } from '../../../../kernel/mount.ts'
import { decidingStep, isUnderWay } from '../run-state.ts'
import type { RunStore } from '../run-store.ts'

/** A run as answers and events carry it. Undefined where there is none. */
export async function findSummary(runs: RunStore, runId: number): Promise<RunSummary | undefined> {
  const [run, steps, outcomes] = await allOf([
    runs.find(runId),
    runs.listStepFacts(runId),
    runs.listOutcomes(runId),
  ])
  if (!run) return undefined
  return {
    ...readRow(runBrief, run),
    steps: steps.map((step) => {
      const last = outcomes.findLast(
        (attempt) =>
          attempt.step_id === step.id && (attempt.kind === 'send' || attempt.kind === 'resend'),
      )
      return {
        ...readRow(stepBrief, step),
        outcome: last?.outcome ?? null,
        status: last?.status ?? null,
        duration_ms: last?.duration_ms ?? null,
      }
    }),
  }
}

export async function getSummary(runs: RunStore, runId: number): Promise<RunSummary> {
  const summary = await findSummary(runs, runId)
  if (!summary) throw new AppError('run.not_found')
  return summary
}

/** Neither a success nor a failure: the answer has the status 202 (decision 0015). */
export const takenMessage = 'The authority has taken it and decides later.'

/** What the answer of a run depends on, as any view of a run shows it. */
interface EndedRun extends Pick<RunSummary, 'state' | 'is_dry_run'> {
  steps: readonly Pick<RunSummary['steps'][number], 'position' | 'method' | 'state' | 'message'>[]
}

/**
 * What a run that has ended here is answered with; throws the refusal of one that did not succeed. One
 * that the authority decides later is answered with 202.
 */
export function answerOfRun<R extends EndedRun>(
  run: R,
  { setStatus }: Pick<CallContext, 'setStatus'>,
): { message: string; run: R } {
  if (run.state === 'succeeded') return { message: messageOf(run), run }
  if (run.state === 'pending') {
    setStatus(202)
    return { message: takenMessage, run }
  }
  if (isUnderWay(run.state)) {
    throw new AppError('run.in_progress', { retryAfterSeconds: 2, extra: { run } })
  }
  const step = decidingStep(run.steps)
  const detail = step?.message ? `Step ${step.position}: ${step.message}` : undefined
  throw new AppError(run.state === 'unknown' ? 'run.unknown' : 'run.failed', {
    extra: { run, detail: detail ?? null },
  })
}

/** A dry run says that nothing was sent, and what was done instead. */
function messageOf({ is_dry_run, steps }: EndedRun): string {
  if (!is_dry_run) return 'Request sent successfully!'
  const done = steps.filter(({ state }) => state === 'succeeded')
  const checked = steps.filter(({ state }) => state === 'would_send')
  const what = `${named(checked)} checked and would be sent`
  // The test base URL may have been taken away between two steps.
  if (done.some(({ method }) => method !== 'GET')) return `Not all of it was sent: ${what}.`
  const reads = done.length === 0 ? '' : ` Data was read by ${stepsOf(done)}.`
  return `Nothing was sent: this was a dry run, and ${what}.${reads}`
}

const stepsOf = (steps: EndedRun['steps']) =>
  steps.map(({ position }) => `step ${position}`).join(', ')

const named = (steps: EndedRun['steps']) =>
  `${stepsOf(steps)} ${steps.length === 1 ? 'was' : 'were'}`
