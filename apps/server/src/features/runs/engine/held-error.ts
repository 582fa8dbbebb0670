import type { RunSummary } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { LiveRun } from '../ledger/reading/live-run.ts'

const retryAfterSeconds = 5

/**
 * The refusal (503) of a call whose run can't be stored or read now. It names the run, so that its
 * result can be looked up later.
 */
export function heldError(live: LiveRun, cause: unknown): AppError {
  return new AppError('run.held', { retryAfterSeconds, cause, extra: { run: summaryOf(live) } })
}

/** The run as this server last knew it. */
function summaryOf(live: LiveRun): RunSummary {
  return {
    id: live.id,
    state: 'running',
    kind: live.kind,
    is_test: live.isTest,
    is_dry_run: live.steps.some(({ plan }) => plan.isDry),
    steps: live.steps.map(({ plan, state }) => ({
      position: plan.position,
      endpoint_id: plan.target.endpointId,
      endpoint_name: plan.target.name,
      method: plan.target.method,
      state,
      outcome: null,
      status: null,
      duration_ms: null,
      message: null,
    })),
  }
}
