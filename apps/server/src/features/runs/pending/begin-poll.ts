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
  const { runId, stepId, at } = begin
  const poll_id = await ensurePoll(polls, begin)
  await polls.putStep({ step_id: stepId, run_id: runId, poll_id, since: at.toISOString() })
}

/** The id of the poll by which the authority is asked about a step; steps of one submission share it. */
export function ensurePoll(
  polls: Stores['polls'],
  { stepId, endpointId, isTest, askBy, settings, at }: Omit<PollBegin, 'runId'>,
): Promise<number> {
  const place = `${endpointId}${isTest ? ' test' : ''}`
  return polls.ensure({
    submission: askBy === undefined ? `step ${stepId}` : `endpoint ${place}: ${askBy}`,
    ask_by: askBy ?? null,
    next_at: nextPollAt(settings ?? defaultPendingTimes, 0, at),
  })
}
