import type { RunSummary } from '@gatehouse/contract'
import { CallError } from '../../lib/calls/call-error.ts'

/** The run in an answer or a refusal. */
export function readRun(value: unknown): RunSummary | undefined {
  return isRun(value) ? value : undefined
}

/**
 * The run that was carried out and did not succeed. Other refusals may name a run too: the one that
 * blocks the request.
 */
export function endedRunOf(error: unknown): RunSummary | undefined {
  if (!(error instanceof CallError)) return undefined
  const isEnd = error.code === 'run.failed' || error.code === 'run.unknown'
  return isEnd ? readRun(error.details['run']) : undefined
}

/** Number of the run that blocks the refused request. */
export function runInTheWay(error: unknown): number | undefined {
  if (!(error instanceof CallError)) return undefined
  const id = readRun(error.details['run'])?.id ?? error.details['run_id']
  return typeof id === 'number' ? id : undefined
}

function isRun(value: unknown): value is RunSummary {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'number' &&
    'state' in value &&
    'steps' in value &&
    Array.isArray(value.steps)
  )
}
