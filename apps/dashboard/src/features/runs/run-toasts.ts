import type { RunSummary } from '@gatehouse/contract'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { firstMessages } from '../../lib/field-errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { runSentence } from '../../lib/run-words.ts'

/** The spec's texts (§8). */
const texts = { sent: 'Request sent successfully!', notSent: 'Failed to send request.' } as const

/** How a run ended that somebody has set going. */
export function notifyRunEnd({ state, is_dry_run }: RunSummary): void {
  if (state === 'running') return
  const sentence = runSentence(state, is_dry_run)
  if (state === 'succeeded') notifySuccess(texts.sent, sentence)
  else notifyError(texts.notSent, sentence)
}

/** The server said no, or could not be reached. */
export function notifyRefusal(error: unknown): void {
  notifyError(texts.notSent, refusalText(error))
}

/** A refusal in one line; where fields are at fault, the first of their messages. */
export function refusalText(error: unknown): string {
  const [first] = error instanceof CallError ? Object.values(firstMessages(error.errors)) : []
  return first ?? messageOf(error)
}
