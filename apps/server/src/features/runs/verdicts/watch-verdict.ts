import type { Stores } from '../../../stores.ts'
import { askByOf } from '../actions/status-query/status-query.ts'
import type { StoredRun } from '../ledger/open-run.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { ensurePoll } from '../pending/begin-poll.ts'
import type { Target } from '../steps/target.ts'

/**
 * After a person has said that something was not received, the authority is asked on: it may say otherwise (spec:
 * said-of-documents). Call it in the transaction that puts the step back. Does nothing where it can't be asked.
 */
export async function watchVerdict(
  { polls }: Stores,
  { run, attemptsOf }: StoredRun,
  step: StepRow,
  { target, at }: { target: Target | undefined; at: Date },
): Promise<void> {
  if (!target || (target.settings.status_query?.endpoint_id ?? null) === null) return
  const askBy = askByOf(attemptsOf(step), target, run)
  const { pending } = target.settings
  // Its own number would ask about something else.
  if ((pending?.parameter_path ?? '') !== '' && askBy === undefined) return
  const poll_id = await ensurePoll(polls, {
    stepId: step.id,
    endpointId: step.endpoint_id,
    isTest: run.is_test === 1,
    askBy,
    settings: pending,
    at,
  })
  await polls.putWatch({ step_id: step.id, run_id: run.id, poll_id, since: at.toISOString() })
}
