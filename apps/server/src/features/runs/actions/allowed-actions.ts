import type { ErrorCode, Outcome, RunState } from '@gatehouse/contract'
import type { KnownRun } from '../ledger/idempotency.ts'
import { historyOf, type StoredRun } from '../ledger/open-run.ts'
import { decidingStep, isUnderWay, mayBeAccepted } from '../ledger/run-state.ts'
import type { StepRow } from '../ledger/run-store.ts'

/** The states in which nobody may interfere, and why. */
const underWayWords: Partial<Record<RunState, string>> = {
  running: 'The run is under way.',
  queued: 'The run waits in its lane and goes on by itself.',
  pending: 'The authority has taken it and decides later.',
  waits_for_release: 'The run waits until a person releases it.',
}

/** Its bytes are not here. */
const foundWords =
  'This run was found in the journal of submits after a restore: nothing of it can be sent again.'
const callWords =
  'An agent has made this call. It is not sent again by hand: the agent makes it again.'
const cancelledWords = 'The run was cancelled. Hand its input in again to send it.'

export type Allowed = { ok: true } | Refusal
export interface Refusal {
  ok: false
  code: ErrorCode
  message: string
  retryAfterSeconds?: number
}

export interface Surroundings {
  /** The id of the run that corrects this one. */
  retriedBy: number | null
  /** Other runs of the same content. */
  sameContent: readonly KnownRun[]
  now: Date
  /** Whether the endpoint takes the same bytes twice without a second effect. */
  isDuplicateSafe: (step: StepRow, firstSentAt: string) => boolean
}

/** Whether the run may continue with its first step that did not succeed (docs/runs.md). */
export function mayResume(stored: StoredRun, around: Surroundings): Allowed & { step?: StepRow } {
  const { run, steps } = stored
  const step = decidingStep(steps)
  const underWay = underWayWords[run.state]
  if (underWay) return refused('run.in_progress', underWay)
  if (run.found_in !== null) return refused('run.not_resumable', foundWords)
  if (run.kind === 'call') return refused('run.not_resumable', callWords)
  if (run.state === 'cancelled') return refused('run.not_resumable', cancelledWords)
  if (!step) return refused('run.not_resumable', 'Every step has succeeded.')
  const successor = successorOf(around)
  if (successor !== null)
    return refused('run.superseded', `Run ${successor} was sent in its place.`)
  if (step.state === 'rejected') {
    return refused(
      'run.not_resumable',
      `Step ${step.position} was rejected: the same again would be too. Correct it in a new run.`,
    )
  }
  if (step.state === 'partial') {
    return refused(
      'run.not_resumable',
      `Some documents of step ${step.position} were rejected, others accepted. Correct the rejected ones in a new run.`,
    )
  }
  const { last, firstSentAt } = historyOf(stored.attemptsOf(step))
  if (step.state === 'unknown') {
    const isSafe = firstSentAt !== undefined && around.isDuplicateSafe(step, firstSentAt)
    if (!isSafe) {
      return refused(
        'run.not_resumable',
        `The outcome of step ${step.position} is unknown, and its endpoint is not declared safe against duplicates: say first whether it was received.`,
      )
    }
  }
  if (step.state === 'blocked' && last?.outcome === 'duplicate') {
    return refused(
      'run.not_resumable',
      `The endpoint says that it has step ${step.position} from another sender: say first whether it was received.`,
    )
  }
  const waitMs = step.not_before === null ? 0 : Date.parse(step.not_before) - around.now.getTime()
  if (waitMs > 0) {
    return {
      ...refused('run.not_resumable', `The endpoint asked to wait until ${step.not_before}.`),
      retryAfterSeconds: waitMs / 1000,
    }
  }
  return { ok: true, step }
}

/**
 * Whether a new run may replace this one. It either has corrected bodies and keeps what succeeded,
 * or it starts again and sends everything.
 */
export function mayRetry(stored: StoredRun, around: Surroundings, fromStart: boolean): Allowed {
  const { run, steps } = stored
  const underWay = underWayWords[run.state]
  if (underWay) return refused('run.in_progress', underWay)
  if (run.found_in !== null) return refused('run.not_resumable', foundWords)
  if (run.kind === 'call') return refused('run.not_resumable', callWords)
  if (run.state === 'cancelled') return refused('run.not_resumable', cancelledWords)
  const successor = successorOf(around)
  if (successor !== null)
    return refused('run.superseded', `Run ${successor} was sent in its place.`)
  const open = steps.find(
    (step) => step.state === 'unknown' || (step.state === 'blocked' && isForeignStep(stored, step)),
  )
  if (open) {
    return refused(
      'run.may_be_accepted',
      `Step ${open.position} may have been received: say first whether it was.`,
    )
  }
  if (fromStart) {
    return mayBeAccepted(steps)
      ? refused('run.may_be_accepted', 'A step of this run was accepted: it is not sent again.')
      : { ok: true }
  }
  return run.state === 'succeeded'
    ? refused('run.may_be_accepted', 'Every step has succeeded: there is nothing to correct.')
    : { ok: true }
}

/**
 * Whether a person may close the run. A step that may have been accepted is resolved first: people
 * don't look at closed runs.
 */
export function mayClose(stored: StoredRun): Allowed {
  const { run, steps } = stored
  const underWay = underWayWords[run.state]
  if (underWay) return refused('run.in_progress', underWay)
  if (run.closed_at !== null)
    return refused('run.not_closable', `${run.closed_by_name} has closed this run already.`)
  if (run.state === 'succeeded' || run.state === 'cancelled')
    return refused('run.not_closable', 'Every step has succeeded: there is nothing to close.')
  const open = steps.find((step) => mayResolve(stored, step))
  return open
    ? refused(
        'run.not_closable',
        `The outcome of step ${open.position} is unknown: say first whether it was received.`,
      )
    : { ok: true }
}

/** Whether the run may be taken out of its lane: it is queued, and certainly had no effect. */
export function mayCancel({ run, steps, attemptsOf }: StoredRun): Allowed {
  if (run.state !== 'queued')
    return refused('run.not_cancellable', 'Only a run that waits in its lane can be cancelled.')
  const sent = steps.find(
    (step) =>
      step.effect !== 'read' &&
      attemptsOf(step).some(({ outcome }) => outcome === null || !hadNoEffect.has(outcome)),
  )
  return sent
    ? refused('run.not_cancellable', `Step ${sent.position} of this run was sent.`)
    : { ok: true }
}

const hadNoEffect: ReadonlySet<Outcome> = new Set(['not_sent', 'throttled', 'auth'])

/** Whether a person, or a status query, may say what became of a step. */
export function mayResolve(stored: StoredRun, step: StepRow): boolean {
  return (
    underWayWords[stored.run.state] === undefined &&
    (step.state === 'unknown' || (step.state === 'blocked' && isForeignStep(stored, step)))
  )
}

const isForeignStep = (stored: StoredRun, step: StepRow) =>
  historyOf(stored.attemptsOf(step)).last?.outcome === 'duplicate'

function successorOf({ retriedBy, sameContent }: Surroundings): number | null {
  if (retriedBy !== null) return retriedBy
  const live = sameContent.find(
    (run) => run.hasSubmit && (isUnderWay(run.state) || run.mayBeAccepted),
  )
  return live?.id ?? null
}

const refused = (code: ErrorCode, message: string): Refusal => ({ ok: false, code, message })
