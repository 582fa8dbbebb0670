import { fewAtOnce } from '../../../kernel/few-at-once.ts'
import { WorkerLink } from '../../../kernel/worker-link.ts'
import { planBody, type PlannedBody, type TypedBody } from './plan-body.ts'

/** Bodies of up to this many characters are planned at once, in a few milliseconds. */
const smallCharacters = 16_384

const planner = new WorkerLink<TypedBody, PlannedBody>(
  new URL('plan-body-worker.ts', import.meta.url),
  { name: 'planning', timeoutMs: 30_000 },
)
const run = fewAtOnce({ atOnce: 1, queueMax: 32 })

/** The result of `planBody`. A thread plans large bodies. Throws a 429 while its queue is full. */
export async function plannedBody(typed: TypedBody): Promise<PlannedBody> {
  return typed.body.length <= smallCharacters ? planBody(typed) : run(() => planner.ask(typed))
}
