import type { SaidOfDocument } from '@gatehouse/contract'
import { fieldError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'
import type { StepRow } from '../ledger/run-store.ts'
import {
  stateOfDocuments,
  type DocumentVerdict,
  type DocumentVerdicts,
} from '../steps/documents/judge-documents.ts'

type Link = Awaited<ReturnType<Stores['documents']['listOfStep']>>[number]

interface SaidOfEach {
  verdicts: DocumentVerdicts
  step: StepRow['state']
  /** How many are still open. */
  left: number
}

const isDecided = ({ state }: Pick<Link, 'state'>) =>
  state === 'accepted' || state === 'not_accepted'

/**
 * What a person's verdicts make of the documents of a step, and of the step. Undefined where none of its documents was
 * received: the same request may be sent again. Beside documents that were accepted or rejected, one that was not
 * received is sent by a correction. Throws a 422 for a document that the step does not carry, or that is decided.
 */
export function sayOfEach(
  step: Pick<StepRow, 'state'>,
  links: readonly Link[],
  said: readonly SaidOfDocument[],
  who: string,
): SaidOfEach | undefined {
  if (said.length === 0)
    throw fieldError({ documents: ['Say what became of at least one document.'] })
  const byId = new Map(said.map((each) => [each.id, each]))
  for (const [at, { id }] of said.entries()) {
    const link = links.find((each) => each.id === id)
    if (!link || isDecided(link) || said.findIndex((each) => each.id === id) !== at)
      throw fieldError({
        [`documents.${at}.id`]: [
          'The step carries no such document, or it is decided, or it is named twice.',
        ],
      })
  }
  const isNone = links.every((link) => byId.get(link.id)?.verdict === 'not_received')
  if (isNone) return undefined
  const verdicts = new Map<string, DocumentVerdict>()
  for (const { id, reference } of links) {
    const verdict = byId.get(id)
    if (verdict) verdicts.set(reference, toVerdict(verdict, who))
  }
  const states = links.map((link) => verdicts.get(link.reference)?.state ?? link.state)
  const left = states.filter((state) => !isDecided({ state })).length
  return { verdicts, left, step: left > 0 ? step.state : stateOfDocuments(states) }
}

function toVerdict({ verdict, reference }: SaidOfDocument, who: string): DocumentVerdict {
  if (verdict === 'accepted')
    return {
      state: 'accepted',
      ...(reference ? { authorityReference: reference } : {}),
      message: `${who} says that it was accepted.`,
    }
  const message =
    verdict === 'rejected'
      ? `${who} says that it was rejected.`
      : `${who} says that it was not received: correct it in a new run.`
  return { state: 'not_accepted', message }
}
