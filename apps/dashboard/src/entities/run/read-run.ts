import type { RunSummary } from '@gatehouse/contract'
import { CallError } from '../../lib/call-error.ts'

/** The run that an answer, or a refusal, tells of. */
export function readRun(value: unknown): RunSummary | undefined {
  return isRun(value) ? value : undefined
}

/**
 * The run that was carried out and did not succeed. Other refusals may tell of a run too: of one that
 * stands in the way.
 */
export function endedRunOf(error: unknown): RunSummary | undefined {
  if (!(error instanceof CallError)) return undefined
  const isEnd = error.code === 'run.failed' || error.code === 'run.unknown'
  return isEnd ? readRun(error.details['run']) : undefined
}

/** Number of the run that stands in the way of what was refused. */
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
