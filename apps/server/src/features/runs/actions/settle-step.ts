import type { AttemptKind, RunSettings } from '@gatehouse/contract'
import type { NewRow } from '../../../db/tables.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { Stores } from '../../../stores.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import { settleDocument } from '../ledger/documents/document-settlement.ts'
import { settleInLane } from '../ledger/leave-lane.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import type { StoredRun } from '../ledger/open-run.ts'
import { isUnderWay, runStateOf } from '../ledger/run-state.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { asker } from '../pending/asker.ts'
import { getSummary } from '../ledger/reading/run-summary.ts'
import { stateOfDocuments, type DocumentVerdicts } from '../steps/documents/judge-documents.ts'
import { mayResolve } from './allowed-actions.ts'
import { auditAction, type RunAction } from './audit-action.ts'
import { stateAfter } from './state-after.ts'

export interface StepSettlerOptions {
  leases: Leases
  clock: Clock
}

interface Settlement {
  caller: Caller
  kind: AttemptKind
  /** Pending: the authority has it and decides later. */
  state: 'succeeded' | 'waiting' | 'rejected' | 'pending'
  /** Instead, what was said of documents of it, and the state that this makes of the step, where that is not plain. */
  each?: { verdicts: DocumentVerdicts; step?: StepRow['state'] }
  reference: string
  message: string
  /** Steps that are left, and this one where it was not received, are carried out by themselves. */
  goesOn?: boolean
  attempt: Partial<AttemptRow>
}

/** Writes what became of a step whose outcome was unknown. */
export class StepSettler {
  readonly #options: StepSettlerOptions

  constructor(options: StepSettlerOptions) {
    this.#options = options
  }

  /**
   * Moves the step, its run and its documents, in the transaction of these stores. Of two requests that
   * settle at once, or one that settles and one that resumes, the first wins. The other gets a 409.
   */
  async settle(stores: Stores, stored: StoredRun, step: StepRow, settlement: Settlement) {
    const { run } = stored
    const { caller, kind, reference, attempt } = settlement
    const said = settlement.state
    const after = settlement.each
      ? { step: await stateByEach(stores, step, settlement.each), documents: said }
      : said === 'pending'
        ? { step: said, documents: said }
        : await stateAfter(stores, run.id, step.position, said)
    const now = this.#options.clock.now().toISOString()
    await moveBoth(stores, stored, step, { ...settlement, state: after.step }, now)
    await stores.runs.insertAttempt({
      ...this.attemptBy(step, caller, kind),
      number: await stores.runs.nextAttempt(step.id),
      reference: reference || null,
      ...attempt,
    })
    await settleDocument(stores, {
      runId: run.id,
      position: step.position,
      state: after.documents,
      outcome: null,
      settings: noAnswerPaths,
      // The number of a submission is none of a document.
      ...(reference && said !== 'pending' ? { authorityReference: reference } : {}),
      ...(settlement.each ? { verdicts: settlement.each.verdicts } : {}),
      now,
    })
  }

  /** Stores an answer that decides nothing, even where the run has changed since the question. */
  async note(stores: Stores, { run }: StoredRun, attempt: Omit<NewRow<'run_attempt'>, 'number'>) {
    await stores.runs.hold(run.id)
    const number = await stores.runs.nextAttempt(attempt.step_id)
    await stores.runs.insertAttempt({ ...attempt, number })
  }

  /** The row of an attempt that a person made now. */
  attemptBy(step: StepRow, { user }: Caller, kind: AttemptKind) {
    const now = this.#options.clock.now().toISOString()
    return {
      step_id: step.id,
      kind,
      owner: this.#options.leases.owner,
      started_at: now,
      finished_at: now,
      // The product itself is no user.
      user_id: user.id === 0 ? null : user.id,
      user_name: user.name,
    }
  }
}

async function stateByEach(
  { documents }: Stores,
  { run_id, position }: StepRow,
  { verdicts, step }: NonNullable<Settlement['each']>,
): Promise<StepRow['state']> {
  if (step) return step
  const links = await documents.listOfStep(run_id, position)
  return stateOfDocuments(
    links.map(({ reference, state }) => verdicts.get(reference)?.state ?? state),
  )
}

async function moveBoth(
  stores: Stores,
  stored: StoredRun,
  step: StepRow,
  {
    state,
    message,
    goesOn = false,
  }: Pick<Settlement, 'message' | 'goesOn'> & Pick<StepRow, 'state'>,
  now: string,
): Promise<void> {
  const { run, steps } = stored
  const reached = runStateOf(steps.map((each) => (each.id === step.id ? { state } : each)))
  const runState = await settleInLane(stores, run, reached, { goesOn, now })
  const isFirst =
    mayResolve(stored, step) &&
    (await stores.runs.moveRun(run, {
      state: runState,
      epoch: run.epoch + 1,
      unknown_since: runState === 'unknown' ? run.unknown_since : null,
      ...(isUnderWay(runState) ? { finished_at: null } : {}),
      ...(run.found_in !== null && runState === 'not_started' ? closedColumns(now) : {}),
    })) &&
    (await stores.runs.moveStep(step.id, step.state, { state, message, not_before: null }))
  if (!isFirst) throw await refusedAsKnown(stores, run.id)
}

/** What was found and not received can't be sent: its document is free for another run. */
const closedColumns = (now: string) => ({
  closed_at: now,
  closed_by_id: asker.user.id,
  closed_by_name: asker.user.name,
  closed_reason: 'It was not received. Another run may send the document.',
})

const noAnswerPaths: Pick<RunSettings, 'authority_reference_path' | 'qr_path'> = {
  authority_reference_path: '',
  qr_path: '',
}

/** Adds a decision about a step to the audit trail and returns the current run. */
export async function auditStep(
  stores: Stores,
  { run }: StoredRun,
  step: StepRow,
  context: CallContext,
  { action, after }: Pick<RunAction, 'action' | 'after'>,
) {
  const now = await getSummary(stores.runs, run.id)
  await auditAction(stores, context, run, {
    action,
    step: step.position,
    before: { run_state: run.state, step_state: step.state },
    after: { run_state: now.state, ...after },
  })
  return now
}

export const saidBy = (who: string, isReceived: boolean) =>
  isReceived
    ? `${who} says that it was received.`
    : `${who} says that it was not received: it may be sent again.`

/** Throws 404 where the run has no such step. */
export function stepOf({ steps }: StoredRun, position: number): StepRow {
  const step = steps.find((each) => each.position === position)
  if (!step) throw new AppError('run.not_found', { message: 'This run has no such step.' })
  return step
}

/** A 409 with the current run. */
export async function refusedAsKnown({ runs }: Stores, runId: number): Promise<AppError> {
  return new AppError('run.not_unknown', { extra: { run: await getSummary(runs, runId) } })
}
