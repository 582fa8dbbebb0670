import { AppError } from '../../../kernel/app-error.ts'
import type { LiveRun } from '../ledger/reading/live-run.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import { contentDigest } from './content-digest.ts'

/** An endpoint may have been changed between the release and this moment. */
export function refuseUnlessReleased(
  { laneEntry }: Pick<LiveRun, 'laneEntry'>,
  steps: readonly PlannedStep[],
): void {
  const released = laneEntry?.released_sha256 ?? null
  if (released === null || released === contentDigest(steps)) return
  throw new AppError('run.not_releasable', {
    message: 'What would be sent is no longer what was released. Start it again.',
  })
}
