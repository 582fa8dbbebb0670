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
  /** The request of an earlier send; a resend sends exactly this. */
  frozen: FrozenRequest | undefined
  /** The same bytes may have arrived before: a duplicate answer is about our own document. */
  isResend: boolean
  /** They may have arrived, and no person or status query has denied it since. */
  mayHaveArrived: boolean
  /** The answer, where the step succeeded. */
  answerText: string | undefined
}

/** A run whose lease this server holds; `epoch` protects it against later holders. */
export interface LiveRun {
  id: number
  epoch: number
  kind: RunKind
  isTest: boolean
  caller: Caller
  requestId: string
  steps: LiveStep[]
  /** The attempt that was opened in the transaction that made the run. It is sent first. */
  opened: OpenAttempt | undefined
}

/** An attempt that is committed as under way. Its request may be sent now, once. */
export interface OpenAttempt {
  id: number
  step: LiveStep
  request: FrozenRequest
  kind: AttemptKind
  /** Not to be sent after this moment, unless the lease has been renewed. */
  leaseUntil: string
}

/** Another server has taken the run: answers that this one receives now come too late. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
  constructor(runId: number) {
    super(`Run ${runId} is no longer carried out by this server.`)
  }
}
