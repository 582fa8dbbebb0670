import type { Stores } from '../../../../stores.ts'
import type { Classified } from '../../steps/answers/classify-answer.ts'
import type { FrozenRequest } from '../../steps/freeze-request.ts'
import type { ReadDocument } from '../../steps/documents/read-document.ts'
import type { SeenAnswer } from '../finish-step.ts'
import type { LiveRun, LiveStep, OpenAttempt } from './live-run.ts'

/** A step whose request is final, with the document that it carries. */
export interface ReadyStep {
  step: LiveStep
  request: FrozenRequest
  carried: ReadDocument
}

export interface Finished {
  classified: Classified
  /** The next step's attempt, to be sent now. */
  opened: OpenAttempt | undefined
}

/**
 * Reads back what finishing an attempt has committed: see `Ledger.findFinished`. Brings the run in
 * memory up to date with it.
 */
export async function findFinished(
  runs: Stores['runs'],
  live: LiveRun,
  attempt: OpenAttempt,
  { classified, received, kept }: SeenAnswer,
  next: () => ReadyStep | undefined,
): Promise<Finished | undefined> {
  const run = await runs.find(live.id)
  const written = await runs.findAttempt(attempt.id)
  const open = await runs.listOpenAttempts(live.id)
  if (run?.epoch !== live.epoch || written?.outcome !== classified.outcome) return undefined
  const { step } = attempt
  step.state = classified.state
  step.answerText = classified.state === 'succeeded' ? received : undefined
  step.answerStatus = classified.state === 'succeeded' ? (kept.status ?? undefined) : undefined
  const ready = open.length > 0 ? next() : undefined
  const claimed = ready && open.find(({ step_id }) => step_id === ready.step.id)
  if (!claimed) return { classified, opened: undefined }
  ready.step.state = 'sending'
  const { id } = claimed
  const kind = ready.step.isResend ? 'resend' : 'send'
  return { classified, opened: { id, kind, step: ready.step, request: ready.request } }
}
