import { AppError } from '../../../kernel/app-error.ts'
import { leaseColumns } from '../../../kernel/leases/leased-rows.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import type { Stores } from '../../../stores.ts'
import { claimStep } from '../ledger/claim-step.ts'
import type { LiveRun, LiveStep } from '../ledger/reading/live-run.ts'
import type { StoredRun } from '../ledger/open-run.ts'
import { refuseWhileHeld } from '../ledger/refuse-while-held.ts'
import type { RunRow } from '../ledger/run-store.ts'
import { traceOf } from '../ledger/reading/run-trace.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import { frozenOfCall, stepOfCall } from './held-call.ts'

interface Opening {
  stored: StoredRun
  /** The run as it is held in this transaction. */
  run: RunRow
  plan: PlannedStep
  leases: Leases
  now: string
  /** The person knows that it may have been sent already. */
  confirmsHeld: boolean
}

/**
 * Takes a released call for this server and opens its attempt, in the transaction that stores the release: it is
 * sent once, or its outcome is unknown. Throws an AppError, and nothing is released, where it must not be sent.
 */
export async function openHeldCall(
  stores: Stores,
  { stored, run, plan, leases, now, confirmsHeld }: Opening,
): Promise<LiveRun> {
  await refuseWhileHeld(stores, { steps: [plan], confirmsHeld })
  const leaseUntil = leases.until()
  const epoch = run.epoch + 1
  await stores.runs.updateRun(run.id, {
    state: 'running',
    epoch,
    ...leaseColumns({ owner: leases.owner, until: leaseUntil }),
    taken_at: now,
  })
  const step = liveStep(stored, plan)
  const live: LiveRun = {
    id: run.id,
    epoch,
    leaseUntil,
    kind: run.kind,
    isTest: false,
    caller: ownerOf(run),
    requestId: run.request_id,
    trace: traceOf(run),
    takenAt: now,
    steps: [step],
    hasReference: run.reference !== null,
    opened: undefined,
  }
  live.opened = await claimStep(stores, {
    live,
    step,
    request: frozenOfCall(stepOfCall(stored)),
    carried: { ok: true, documents: plan.documents },
    now,
    owner: leases.owner,
  }).catch(asRefusal)
  return live
}

/** That the user of the token has lost a right is no lack of the person who releases. */
function asRefusal(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'permission.denied') throw error
  throw new AppError('run.not_releasable', { message: error.message, cause: error })
}

/** Frozen: the bytes that were shown are those that leave. */
function liveStep(stored: StoredRun, plan: PlannedStep): LiveStep {
  const row = stepOfCall(stored)
  return {
    id: row.id,
    uuid: row.uuid,
    plan,
    state: row.state,
    frozen: frozenOfCall(row),
    isResend: false,
    mayHaveArrived: false,
    answerText: undefined,
  }
}

/** It is sent by the right of the user whose token asked for it. */
function ownerOf({ user_id, user_name }: RunRow): LiveRun['caller'] {
  const unused = { email: '', username: '', roles: [], role: '', permissions: [] }
  return { user: { ...unused, id: user_id, name: user_name }, isSuperAdmin: false }
}
