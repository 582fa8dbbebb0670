import { defaultPendingTimes } from '@gatehouse/contract/run-profiles'
import type { Stores } from '../../../stores.ts'
import { readBody } from '../answers/read-body.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import type { StatusVerdict } from '../actions/status-query/classify-status-answer.ts'
import { settleDocument } from '../ledger/documents/document-settlement.ts'
import type { RunRow, StepRow } from '../ledger/run-store.ts'
import { explainDocuments } from '../steps/documents/explain-documents.ts'
import {
  stateOfDocuments,
  type DocumentVerdict,
  type DocumentVerdicts,
} from '../steps/documents/judge-documents.ts'
import { givenUp, type Decision } from './decide-pending.ts'
import { judgePoll } from './judge-poll.ts'
import { mayHaveArrivedBefore } from './may-have-arrived-before.ts'
import { giveUpAt } from './poll-times.ts'
import type { Settling } from './settling.ts'

interface Asked {
  run: RunRow
  step: StepRow
}

interface SeveralDecided {
  decision: Decision
  /** What is new; the documents that were decided before are not in it. */
  verdicts: DocumentVerdicts
  said: StatusVerdict | undefined
  /** What became of all of them so far, in words. */
  words: string
}

/**
 * Decides about each of several documents of a pending step. The step stays pending until all of them
 * are decided, or for too long. Undefined for a step whose request carries one document.
 */
export async function decideSeveral(
  { documents }: Stores,
  { run, step, attempts }: Asked & { attempts: readonly AttemptRow[] },
  since: string,
  settling: Settling,
): Promise<SeveralDecided | undefined> {
  const { answered, target, at } = settling
  const settings = target?.settings.documents
  const links = await documents.listOfStep(run.id, step.position)
  if (links.length === 0 || (!settings && links.length === 1)) return undefined
  const open = links.filter(({ state }) => state === 'pending')
  const references = open.map(({ reference }) => reference)
  const found = foundOf(references, settling, mayHaveArrivedBefore(attempts))
  const times = target?.settings.pending ?? defaultPendingTimes
  const isOver = at >= giveUpAt(times, since)
  const verdicts = new Map<string, DocumentVerdict>(found)
  if (isOver)
    for (const reference of references)
      if (!verdicts.has(reference)) verdicts.set(reference, { state: 'unknown' })
  const all = new Map(
    links.map(({ reference, state, message }) => [
      reference,
      verdicts.get(reference) ?? ({ state, message: message ?? undefined } as DocumentVerdict),
    ]),
  )
  const state = stateOfDocuments([...all.values()].map((each) => each.state))
  const words = explainDocuments(all)
  if (state === 'pending') {
    const weighed = { settles: false, because: 'still_pending', askAgainAfter: null } as const
    return { decision: { state, weighed }, verdicts, said: answered?.said, words }
  }
  const message =
    isOver && found.size < open.length ? `${givenUp(times.give_up_minutes)} ${words}` : words
  const said: StatusVerdict =
    state === 'rejected'
      ? { verdict: 'rejected', messages: words }
      : { verdict: 'received', authorityReference: undefined }
  return {
    decision: { state, message, weighed: { settles: true } },
    verdicts,
    said: state === 'unknown' ? answered?.said : said,
    words,
  }
}

/** An answer by the number of a submission is about all steps of that; else each document was asked about. */
export function foundOf(
  references: readonly string[],
  { answered, target, askBy }: Pick<Settling, 'answered' | 'target' | 'askBy'>,
  isBefore: boolean,
): DocumentVerdicts {
  const lists = target?.settings.documents
  const answer = answered?.asked.answer
  if (!lists || !answer) return new Map()
  if (askBy !== null) {
    const body = answer.ok && answer.status < 300 ? readBody(answer.body) : undefined
    return lists.poll
      ? judgePoll(body, { ...lists, poll: lists.poll }, references, isBefore)
      : new Map()
  }
  return new Map([...(answered.documents ?? [])].filter(([each]) => references.includes(each)))
}

/** Stores what was said of each document; those that are not named stay as they are. */
export function settleSeveral(
  stores: Stores,
  { run, step }: Asked,
  verdicts: DocumentVerdicts,
  { at }: Pick<Settling, 'at'>,
): Promise<void> {
  return settleDocument(stores, {
    runId: run.id,
    position: step.position,
    state: 'pending',
    outcome: null,
    settings: { authority_reference_path: '', qr_path: '' },
    verdicts,
    now: at.toISOString(),
  })
}
