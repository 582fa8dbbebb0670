import { AppError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'
import type { BeginDecision } from './idempotency.ts'
import { getSummary } from './reading/run-summary.ts'

type Refused = Exclude<BeginDecision, { what: 'begin' } | { what: 'replay' }>

/** Why a request makes no run; the refusal carries the run that prevents it. */
export async function refusalOfBegin({ runs }: Stores, decision: Refused): Promise<AppError> {
  const run = await getSummary(runs, decision.runId)
  if (decision.what === 'in_progress')
    return new AppError('run.in_progress', { retryAfterSeconds: 2, extra: { run } })
  if (decision.what === 'key_reused') return new AppError('run.key_reused', { extra: { run } })
  const message = {
    superseded: `Run ${run.id}, with the same content, was corrected by another run.`,
    unresolved: `The same was sent before as run ${run.id}, and its outcome is unknown. Resolve that run first.`,
    may_be_accepted: `The same was sent before as run ${run.id}, and a step of it was accepted: resume or correct that run.`,
  }[decision.what]
  return new AppError(`run.${decision.what}`, { message, extra: { run } })
}
