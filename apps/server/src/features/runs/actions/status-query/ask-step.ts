import type { Exchanged } from '@gatehouse/upstream'
import type { Clock } from '../../../../kernel/clock.ts'
import { mayHaveArrivedBefore } from '../../pending/may-have-arrived-before.ts'
import { classifyStatusAnswer } from './classify-status-answer.ts'
import { withPermit, type PermitsOf } from '../permit-soon.ts'
import { saidOfDocuments } from '../../verdicts/said-of-documents.ts'
import type { Target } from '../../steps/target.ts'
import { askStatus, asksByOwnNumber, type Asked, type AskedStep } from './status-query.ts'
import type { Answered } from './weighed-answer.ts'

type How = Omit<Parameters<typeof askStatus>[2], 'paged'> & {
  /** The references of its documents that are not decided. */
  documents?: readonly string[]
}

interface Asking {
  /** What the endpoint of the step is now. */
  own: Target
  clock: Clock
  permitsOf: PermitsOf
  /** The workflow whose lane the question counts for. */
  workflowId: number | null
  how: How
}

/**
 * Asks the endpoint of a step, within the limits of its lane, and says what the answer means. Of several documents each
 * is asked about by its own number, where the authority is not asked by one of its own.
 */
export async function askStep(
  step: AskedStep,
  { own, clock, permitsOf, workflowId, how }: Asking,
): Promise<Answered> {
  const askedAt = clock.now()
  const permits = await permitsOf(workflowId)
  const paged = (call: () => Promise<Exchanged>) => withPermit(permits, call)
  const { documents = [], attempts = [] } = how
  const { settings } = own
  const typed = how.typed?.[settings.status_query?.parameter ?? ''] ?? ''
  const isEach = asksByOwnNumber(settings, how.askBy ?? (typed || undefined), documents.length > 0)
  const ask = (askBy: string | undefined) =>
    withPermit(permits, () => askStatus(step, own, { ...how, askBy, isOwn: isEach, paged }))
  const groups = isEach ? documents.map((each) => [each]) : [documents]
  const answers: { asked: Asked; references: readonly string[] }[] = []
  for (const references of groups)
    answers.push({ asked: await ask(isEach ? references[0] : how.askBy), references })
  const said = answers.map(({ asked, references }) => ({
    references,
    answer: asked.answer,
    said: classifyStatusAnswer(asked.answer, asked.query),
  }))
  const asked = answers.at(-1)!.asked
  if (!settings.documents || documents.length === 0) return { asked, askedAt, said: said[0]!.said }
  const isBefore = mayHaveArrivedBefore(attempts)
  return { asked, askedAt, ...saidOfDocuments(said, settings.documents, isBefore) }
}
