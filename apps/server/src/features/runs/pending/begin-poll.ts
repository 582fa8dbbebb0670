import type { PendingSettings } from '@gatehouse/contract'
import { defaultPendingTimes } from '@gatehouse/contract/run-profiles'
import type { Stores } from '../../../stores.ts'
import { nextPollAt } from './poll-times.ts'

interface PollBegin {
  runId: number
  stepId: number
  endpointId: number
  isTest: boolean
  /** What the authority is asked by; undefined: the document's reference. */
  askBy: string | undefined
  settings: Pick<PendingSettings, 'first_after_seconds' | 'factor' | 'max_every_seconds'> | null
  at: Date
}

/**
 * Makes sure that the authority is asked for its decision about a step. Call it in the transaction that
 * makes the step pending: from its commit on some server asks, whichever dies.
 */
export async function beginPoll({ polls }: Pick<Stores, 'polls'>, begin: PollBegin): Promise<void> {
  const { runId, stepId, endpointId, isTest, askBy, settings, at } = begin
  const place = `${endpointId}${isTest ? ' test' : ''}`
  const poll_id = await polls.ensure({
    submission: askBy === undefined ? `step ${stepId}` : `endpoint ${place}: ${askBy}`,
    ask_by: askBy ?? null,
    next_at: nextPollAt(settings ?? defaultPendingTimes, 0, at),
  })
  await polls.putStep({ step_id: stepId, run_id: runId, poll_id, since: at.toISOString() })
}
