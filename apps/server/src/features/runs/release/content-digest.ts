import { createHash } from 'node:crypto'
import { requestTargetOf } from '../steps/freeze-request.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'

/**
 * A digest of what the steps of a run send, as far as it is known before the first is sent: what a person released is
 * what is sent, or nothing. Of a step that takes from earlier answers it has the text that they are put in.
 */
export function contentDigest(steps: readonly PlannedStep[]): string {
  const content = steps.map(({ position, target, source, request, skipped, isDry }) => [
    position,
    target.endpointId,
    // Its static headers as they are set: one with {uuid} is filled again for each call.
    requestTargetOf(target),
    request?.url ?? null,
    request ? request.body : source.text,
    skipped ?? null,
    isDry,
  ])
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
