import type { Exchanged } from '@gatehouse/upstream'
import type { Clock } from '../../../kernel/clock.ts'
import { classifyStatusAnswer } from './classify-status-answer.ts'
import { withPermit, type PermitsOf } from './permit-soon.ts'
import { askStatus, type AskedStep } from './status-query.ts'
import type { Answered } from './weighed-answer.ts'

type How = Omit<Parameters<typeof askStatus>[1], 'paged'>

interface Asking {
  clock: Clock
  permitsOf: PermitsOf
  /** The workflow whose lane the question counts for. */
  workflowId: number | null
  how: How
}

/** Asks the endpoint of a step, within the limits of its lane, and says what the answer means. */
export async function askStep(
  step: AskedStep,
  { clock, permitsOf, workflowId, how }: Asking,
): Promise<Answered> {
  const askedAt = clock.now()
  const permits = await permitsOf(workflowId)
  const paged = (call: () => Promise<Exchanged>) => withPermit(permits, call)
  const asked = await withPermit(permits, () => askStatus(step, { ...how, paged }))
  return { asked, askedAt, said: classifyStatusAnswer(asked.answer, asked.query) }
}
