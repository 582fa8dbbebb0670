import type { RunState } from '@gatehouse/contract'
import type { Actor } from '../../../kernel/caller.ts'
import type { Stores } from '../../../stores.ts'
import type { RunRow } from '../ledger/run-store.ts'

/** What a person decided about a run. The run's steps and attempts show the result. */
export interface RunAction {
  action:
    | 'run.resolve'
    | 'run.status_query'
    | 'run.resume'
    | 'run.correct'
    | 'run.again'
    | 'run.close'
    | 'run.cancel'
    | 'run.release'
    | 'run.refuse'
  step: number | null
  before: { run_state: RunState; step_state?: string }
  after: Record<string, unknown>
}

/** Adds the decision to the audit trail, in the transaction that carries it out. */
export async function auditAction(
  { audit }: Pick<Stores, 'audit'>,
  by: Actor,
  run: Pick<RunRow, 'id' | 'kind' | 'reference'>,
  { action, step, before, after }: RunAction,
): Promise<void> {
  await audit.record(by, {
    action,
    thing: 'run',
    id: run.id,
    name: run.reference === null ? run.kind : `${run.kind} ${run.reference}`,
    before: { ...(step === null ? {} : { step }), ...before },
    after: { ...(step === null ? {} : { step }), ...after },
  })
}
