import type { Stores } from '../../../stores.ts'
import { stateOfDocuments } from '../steps/documents/judge-documents.ts'

type Said = 'succeeded' | 'waiting' | 'rejected'

/**
 * What a person, or a status query about the whole request, makes of a step. Of several documents those
 * that were decided before stay as they are, so that the request is not sent again as a whole.
 * `documents` is what becomes of the others, as the state of a step.
 */
export async function stateAfter(
  { documents }: Pick<Stores, 'documents'>,
  runId: number,
  position: number,
  said: Said,
): Promise<{ step: Said | 'partial'; documents: Said }> {
  const links = await documents.listOfStep(runId, position)
  const isDecided = (state: string) => state === 'accepted' || state === 'not_accepted'
  if (links.length < 2 || !links.some(({ state }) => isDecided(state)))
    return { step: said, documents: said }
  const other = said === 'succeeded' ? 'accepted' : 'not_accepted'
  const step = stateOfDocuments(links.map(({ state }) => (isDecided(state) ? state : other)))
  const isKnown = step === 'succeeded' || step === 'partial' || step === 'rejected'
  return { step: isKnown ? step : said, documents: said === 'succeeded' ? said : 'rejected' }
}
