import type { InTransaction, Stores } from '../../stores.ts'
import { removeFromLane } from '../runs/ledger/leave-lane.ts'
import { loadRun } from '../runs/ledger/open-run.ts'
import { decidingStep, runStateOf } from '../runs/ledger/run-state.ts'
import { unsentSteps } from './unsent-steps.ts'

/** Ends the queued runs whose deadline has passed, a hundred at most. Returns their ids. */
export async function expireRuns(inTransaction: InTransaction, now: string): Promise<number[]> {
  const overdue = await inTransaction(({ lanes }) => lanes.listOverdue(now))
  const ended: number[] = []
  for (const id of overdue)
    if (await inTransaction((stores) => expire(stores, id, now))) ended.push(id)
  return ended
}

/** False where the run has been taken meanwhile. */
async function expire(stores: Stores, id: number, now: string): Promise<boolean> {
  const { runs, lanes } = stores
  await runs.hold(id)
  const entry = await lanes.findEntry(id)
  if (entry?.state !== 'queued') return false
  const { run, steps, workflow } = await loadRun(runs, id)
  const message =
    `It was not sent until its deadline (${entry.deadline_at}). ${entry.message ?? ''}`.trim()
  const open = decidingStep(steps)
  if (open) await runs.updateStep(open.id, { message })
  else if (workflow) {
    const messages = new Map([[1, message]])
    await runs.insertSteps(await unsentSteps(stores, id, workflow.definition, messages, 'waiting'))
  }
  await removeFromLane(stores, entry)
  await runs.updateRun(id, {
    state: steps.length === 0 ? 'not_started' : runStateOf(steps),
    epoch: run.epoch + 1,
    finished_at: now,
  })
  return true
}
