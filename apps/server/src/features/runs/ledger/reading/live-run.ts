import type { AttemptKind, DocumentKind, RunKind, StepState } from '@gatehouse/contract'
import type { Row } from '../../../../db/tables.ts'
import type { Caller } from '../../../../kernel/caller.ts'
import type { FrozenRequest } from '../../steps/freeze-request.ts'
import type { VersionOfRun } from '../run-store.ts'
import type { RunTrace } from './run-trace.ts'
import type { PlannedStep } from '../../steps/plan-steps.ts'

/** A step of a run that this server carries out. */
export interface LiveStep {
  id: number
  uuid: string
  plan: PlannedStep
  state: StepState
  /** The request of an earlier send; a resend sends exactly this. */
  frozen: FrozenRequest | undefined
  /** The same bytes may have arrived before: a duplicate answer is about our own document. */
  isResend: boolean
  /** They may have arrived, and no person or status query has denied it since. */
  mayHaveArrived: boolean
  /** Of the documents that it carries; set when they are claimed. */
  references?: readonly string[]
  /** Of these documents. */
  documentKind?: DocumentKind
  /** Where they are known. */
  register?: string
  /** The answer, where the step succeeded. */
  answerText: string | undefined
  /** Its status; undefined where the step did not succeed, or a person said that it was received. */
  answerStatus?: number | undefined
}

/** The right to one call. One of the two is called, once. */
export interface Permit {
  /** The call has been answered, or will not be. */
  end(): void
  /** No call was made. */
  giveBack(): void
}

/** The calls that a lane's limits allow (spec: lanes). */
export interface Permits {
  /** Waits until one more call may be made. Rejects where the signal is aborted. */
  take(signal?: AbortSignal): Promise<Permit>
}

/** Permits of which the first is there already. */
export function beginningWith(first: Permit, permits: Permits): Permits {
  let isFirst = true
  return {
    take: (signal) => {
      if (!isFirst) return permits.take(signal)
      isFirst = false
      return Promise.resolve(first)
    },
  }
}

/** A run whose lease this server holds; `epoch` protects it against later holders. */
export interface LiveRun {
  id: number
  epoch: number
  /** The end of the lease, as it was committed when this server took the run. */
  leaseUntil: string
  kind: RunKind
  isTest: boolean
  caller: Caller
  requestId: string
  /** Null where the run belongs to no trace. */
  trace: RunTrace | null
  /** When this server took it. */
  takenAt: string
  /** The workflow that the run carries out: access to it is the right to send. */
  workflowId?: number
  workflowVersion?: number
  /** Who carries it out where that is not its caller, and why: the product itself. */
  actor?: { name: string; reason: string } | undefined
  /** Its place in the lane that it was taken from; undefined where a person goes on with it. */
  laneEntry?: Row<'lane_entry'> | undefined
  /** What each of its calls waits for; undefined: nothing. */
  permits?: Permits | undefined
  steps: LiveStep[]
  /** The reference of its document is stored with it. Where that is not certain, false. */
  hasReference?: boolean
  /** Of this carrying-out, those that were about to be sent. */
  attempts?: number[]
  /** The attempt that was opened in the transaction that made the run. It is sent first. */
  opened: OpenAttempt | undefined
}

/** The version that it carries out; null: it is of no workflow. */
export const versionOf = ({ workflowId, workflowVersion }: LiveRun): VersionOfRun =>
  workflowId === undefined
    ? null
    : workflowVersion === undefined
      ? 'unknown'
      : { id: workflowId, version: workflowVersion }

/** An attempt that is committed as under way. Its request may be sent now, once. */
export interface OpenAttempt {
  id: number
  step: LiveStep
  request: FrozenRequest
  kind: AttemptKind
}

/** Another server has taken the run: answers that this one receives now come too late. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
  constructor(runId: number) {
    super(`Run ${runId} is no longer carried out by this server.`)
  }
}

/** A run of a lane is not sent after its deadline. One that a person goes on with has none. */
export const isOverdue = ({ laneEntry }: LiveRun, now: Date) =>
  laneEntry?.deadline_at !== undefined &&
  laneEntry.deadline_at !== null &&
  laneEntry.deadline_at <= now.toISOString()
