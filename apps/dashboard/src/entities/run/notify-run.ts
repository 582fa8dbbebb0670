import type { RunSummary } from '@gatehouse/contract'
import { notifyInfo, notifySuccess } from '../../lib/notify.tsx'
import { runSentence, successTitle } from './run-words.ts'

/** Shows a toast for a run that succeeded; for a dry run a neutral one, because nothing was sent. */
export function notifyRunSuccess(run: RunSummary, detail?: string): void {
  const notify = run.is_dry_run ? notifyInfo : notifySuccess
  notify(successTitle(run), detail ?? runSentence(run.state, run.is_dry_run))
}
