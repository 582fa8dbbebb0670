import { AppError } from '../../../kernel/app-error.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { RunRow } from '../ledger/run-store.ts'

/** Expired releases that one round ends. */
const atOnce = 100

/**
 * Holds a run that waits for its release until the commit. Throws a 409 where it waits no more: of a person who
 * releases it, one who refuses it and its expiry, the first counts.
 */
export async function holdWaiting(stores: Stores, runId: number) {
  await stores.runs.hold(runId)
  return findWaiting(stores, runId)
}

/** The same without a hold. */
export async function findWaiting({ runs, releases }: Stores, runId: number) {
  const run = await runs.find(runId)
  const release = await releases.find(runId)
  if (!run) throw new AppError('run.not_found')
  if (run.state === 'waits_for_release' && release) return { run, release }
  throw new AppError('run.not_releasable', { message: notWaitingWords(run, release) })
}

function notWaitingWords(run: RunRow, release: Awaited<ReturnType<Stores['releases']['find']>>) {
  if (release?.decision === 'released')
    return `${release.decided_by_name} has released this run already.`
  if (release?.decision === 'refused')
    return `${release.decided_by_name} has refused this run already.`
  if (release?.decision === 'expired') return 'This run was not released in time: it is cancelled.'
  return `Run ${run.id} does not wait for a release.`
}

/** Ends a run of which nothing was sent and nothing will be. Hold it before. */
export const cancelWaiting = ({ runs }: Stores, { id, epoch }: RunRow, now: string) =>
  runs.updateRun(id, { state: 'cancelled', epoch: epoch + 1, finished_at: now })

/** Cancels the runs that nobody has released in time. Returns their ids. */
export async function expireReleases(inTransaction: InTransaction, now: string): Promise<number[]> {
  const overdue = await inTransaction(({ releases }) => releases.listExpired(now, atOnce))
  const ended: number[] = []
  for (const id of overdue)
    if (await inTransaction((stores) => expire(stores, id, now))) ended.push(id)
  return ended
}

/** False where a person has decided meanwhile. */
async function expire(stores: Stores, id: number, now: string): Promise<boolean> {
  await stores.runs.hold(id)
  const run = await stores.runs.find(id)
  const release = await stores.releases.find(id)
  if (run?.state !== 'waits_for_release' || release?.decision !== null) return false
  await stores.releases.decide(id, { decision: 'expired', at: now, by: null, note: null })
  await cancelWaiting(stores, run, now)
  return true
}
