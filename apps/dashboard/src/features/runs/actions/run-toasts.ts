import type { RunSummary } from '@gatehouse/contract'
import { CallError, messageOf } from '../../../lib/calls/call-error.ts'
import { firstMessages } from '../../../lib/forms/field-errors.ts'
import { notifyError } from '../../../lib/page/notify.tsx'
import { notifyRunSuccess } from '../../../entities/run/notify-run.ts'
import { runSentence } from '../../../entities/run/run-words.ts'

/** The spec's text (spec: messages). */
const notSent = 'Failed to send request.'

/** Shows how a run that this user started has ended. */
export function notifyRunEnd(run: RunSummary): void {
  const { state, is_dry_run } = run
  if (state === 'running' || state === 'queued') return
  // While the authority decides nothing has failed.
  if (state === 'succeeded' || state === 'pending') notifyRunSuccess(run)
  else notifyError(notSent, runSentence(state, is_dry_run))
}

/** The server said no, or could not be reached. */
export function notifyRefusal(error: unknown): void {
  notifyError(notSent, refusalText(error))
}

/** A refusal in one line; where fields are at fault, the first of their messages. */
export function refusalText(error: unknown): string {
  const [first] = error instanceof CallError ? Object.values(firstMessages(error.errors)) : []
  return first ?? messageOf(error)
}
