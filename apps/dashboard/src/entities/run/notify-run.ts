import type { RunSummary } from '@gatehouse/contract'
import { notifyInfo, notifySuccess } from '../../lib/notify.tsx'
import { runSentence, successTitle } from './run-words.ts'

/** Announces a run that succeeded. A dry run is news, and no success: nothing has arrived anywhere. */
export function notifyRunSuccess(run: RunSummary, detail?: string): void {
  const notify = run.is_dry_run ? notifyInfo : notifySuccess
  notify(successTitle(run), detail ?? runSentence(run.state, run.is_dry_run))
}
