import type { RunSummary } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { RunStore } from './run-store.ts'

/** A run as answers and events carry it. Undefined where there is none. */
export async function findSummary(runs: RunStore, runId: number): Promise<RunSummary | undefined> {
  const run = await runs.find(runId)
  if (!run) return undefined
  const steps = await runs.listSteps(runId)
  const outcomes = await runs.listOutcomes(runId)
  return {
    id: run.id,
    state: run.state,
    kind: run.kind,
    is_test: run.is_test === 1,
    is_dry_run: run.is_dry_run === 1,
    steps: steps.map((step) => {
      const last = outcomes.findLast(
        (attempt) =>
          attempt.step_id === step.id && (attempt.kind === 'send' || attempt.kind === 'resend'),
      )
      return {
        position: step.position,
        endpoint_id: step.endpoint_id,
        endpoint_name: step.endpoint_name,
        method: step.method,
        state: step.state,
        outcome: last?.outcome ?? null,
        status: last?.status ?? null,
        duration_ms: last?.duration_ms ?? null,
        message: step.message,
      }
    }),
  }
}

export async function getSummary(runs: RunStore, runId: number): Promise<RunSummary> {
  const summary = await findSummary(runs, runId)
  if (!summary) throw new AppError('run.not_found')
  return summary
}

/** What a run that has ended here is answered with; throws the refusal of one that did not succeed. */
export function answerOfRun(run: RunSummary, message = 'Request sent successfully!') {
  if (run.state === 'succeeded') return { message, run }
  if (run.state === 'running') {
    throw new AppError('run.in_progress', { retryAfterSeconds: 2, extra: { run } })
  }
  const step = run.steps.find(({ state }) => state !== 'succeeded' && state !== 'would_send')
  const detail = step?.message ? `Step ${step.position}: ${step.message}` : undefined
  throw new AppError(run.state === 'unknown' ? 'run.unknown' : 'run.failed', {
    extra: { run, detail: detail ?? null },
  })
}
