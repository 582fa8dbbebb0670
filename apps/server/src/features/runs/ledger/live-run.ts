import type { AttemptKind, RunKind, StepState } from '@gatehouse/contract'
import type { Caller } from '../../../kernel/caller.ts'
import type { FrozenRequest } from '../steps/freeze-request.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'

/** A step of a run that this server carries out. */
export interface LiveStep {
  id: number
  uuid: string
  plan: PlannedStep
  state: StepState
  /** What was sent before, where it was: a resend sends exactly this. */
  frozen: FrozenRequest | undefined
  /** The same bytes may have arrived before: a duplicate answer speaks of our own document. */
  isResend: boolean
  /** They may have, and nobody has said since that they have not. */
  mayHaveArrived: boolean
  /** What it was answered with, where it succeeded. */
  answerText: string | undefined
}

/** A run that this server holds the lease of; `epoch` fences it off from later holders. */
export interface LiveRun {
  id: number
  epoch: number
  kind: RunKind
  isTest: boolean
  caller: Caller
  requestId: string
  steps: LiveStep[]
  /** The attempt that was opened in the transaction which made the run; to be sent now. */
  opened: OpenAttempt | undefined
}

/** An attempt that is committed as under way: what it names may be sent now, once. */
export interface OpenAttempt {
  id: number
  step: LiveStep
  request: FrozenRequest
  kind: AttemptKind
  /** Not to be sent after this moment, unless the lease has been renewed. */
  leaseUntil: string
}

/** The run has changed hands: what this server learns of it from now on comes too late. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
  constructor(runId: number) {
    super(`Run ${runId} is no longer carried out by this server.`)
  }
}
