import type { RunSummary } from '@gatehouse/contract'
import { notifyInfo, notifySuccess } from '../../lib/page/notify.tsx'
import { runSentence, successTitle } from './run-words.ts'

/**
 * Shows a toast for a run that succeeded. It is a neutral one for a dry run, which sends nothing, and
 * while the authority decides.
 */
export function notifyRunSuccess(run: RunSummary, detail?: string): void {
  if (run.state === 'pending') {
    notifyInfo('Taken, not decided yet', detail ?? runSentence(run.state, run.is_dry_run))
    return
  }
  const notify = run.is_dry_run ? notifyInfo : notifySuccess
  notify(successTitle(run), detail ?? runSentence(run.state, run.is_dry_run))
}
