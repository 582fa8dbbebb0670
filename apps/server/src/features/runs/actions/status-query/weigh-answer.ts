import type { Stores } from '../../../../stores.ts'
import type { StoredRun } from '../../ledger/open-run.ts'
import type { StepRow } from '../../ledger/run-store.ts'
import { inquiryOf, weighNegative, type Weighed } from './inquiry.ts'
import { refusedAsKnown, saidBy } from '../settle-step.ts'
import type { Answered } from './weighed-answer.ts'

/** Decides whether the answer counts. Locks the run until the commit. */
export async function weigh(
  stores: Stores,
  { run }: StoredRun,
  step: StepRow,
  { asked, askedAt, said }: Answered,
): Promise<Weighed> {
  if (said.verdict === 'received') return { settles: true }
  if (said.verdict === 'unclear' || said.verdict === 'pending') {
    const because = said.verdict === 'pending' ? 'still_pending' : 'unclear'
    return { settles: false, because, askAgainAfter: null }
  }
  await stores.runs.hold(run.id)
  // The answer describes the moment of the question. Since then the step may have been sent
  // again.
  const now = await stores.runs.find(run.id)
  if (now?.epoch !== run.epoch) throw await refusedAsKnown(stores, run.id)
  const attempts = await stores.runs.listAttemptsOf(step.id)
  return weighNegative(inquiryOf(attempts, asked.query, asked.target, said.verdict), askedAt)
}

/** What an answer that counts makes of the step. */
export function settlementBy({ said, documents }: Pick<Answered, 'said' | 'documents'>) {
  const who = 'The status query'
  const isDecided = said.verdict === 'received' || said.verdict === 'rejected'
  const each = isDecided && documents && documents.size > 0 ? { each: { verdicts: documents } } : {}
  if (said.verdict === 'rejected') {
    const why = said.messages === '' ? '.' : `: ${said.messages}`
    return {
      state: 'rejected',
      reference: '',
      message: `${who} says that it was rejected${why}`,
      ...each,
    } as const
  }
  const isReceived = said.verdict === 'received'
  const reference = isReceived ? (said.authorityReference ?? '') : ''
  const state = isReceived ? 'succeeded' : 'waiting'
  return { state, reference, message: saidBy(who, isReceived), ...each } as const
}
