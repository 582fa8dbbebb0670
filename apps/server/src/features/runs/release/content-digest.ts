import { createHash } from 'node:crypto'
import { requestTargetOf } from '../steps/freeze-request.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'

/**
 * A digest of what the steps of a run send, as far as it is known before the first is sent: what a person released is
 * what is sent, or nothing. Of a step that takes from earlier answers it has the text that they are put in.
 * Steps that the input leaves out are in none: input and definition stay.
 */
export function contentDigest(steps: readonly PlannedStep[]): string {
  const sent = steps.filter(({ skipped }) => skipped === undefined)
  const content = sent.map(({ position, target, source, request, isDry }) => [
    position,
    target.endpointId,
    // Its static headers as they are set: one with {uuid} is filled again for each call.
    requestTargetOf(target),
    request?.url ?? null,
    request ? request.body : source.text,
    isDry,
  ])
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
