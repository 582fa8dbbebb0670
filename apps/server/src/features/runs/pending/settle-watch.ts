import type { Stores } from '../../../stores.ts'
import { attemptOf, type Answered } from '../actions/status-query/weighed-answer.ts'
import { healedUntilMs } from '../healing/healing-plan.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import type { StepRow } from '../ledger/run-store.ts'
import type { Target } from '../steps/target.ts'
import { contradict } from '../verdicts/contradict.ts'
import type { VerdictWatchRow } from './poll-store.ts'
import type { Settling } from './settling.ts'
import { foundOf } from './settle-several.ts'

/**
 * Compares what the authority says with a person's word that it was not received. What says otherwise is kept as an
 * attempt and raises an alarm (spec: said-of-documents). It is asked until it says that it has it, for as long as
 * healing asks; by the document's own number only while the document was not sent again.
 */
export async function settleWatch(
  stores: Stores,
  watch: VerdictWatchRow,
  settling: Settling,
): Promise<void> {
  const { target, answered, askBy, at, owner } = settling
  const { runs, polls } = stores
  await runs.hold(watch.run_id)
  const run = await runs.find(watch.run_id)
  const steps = run ? await runs.listSteps(run.id) : []
  const step = steps.find(({ id }) => id === watch.step_id)
  const attempts = step ? await runs.listAttemptsOf(step.id) : []
  const isOver = !target || at.getTime() >= healedUntilMs(target.settings, watch.since)
  if (!run || !step || isOver || (askBy === null && wasSentSince(attempts))) {
    await polls.removeWatch(watch)
    return
  }
  // Its own answer may come any moment.
  if (!answered || run.state === 'running') return
  const denied = await deniedOf(stores, step, { ...settling, target, answered })
  if (!denied || (denied.isOpen && wasNoted(attempts))) return
  await runs.insertAttempt({
    ...attemptOf(answered, { settles: true }),
    step_id: step.id,
    number: await runs.nextAttempt(step.id),
    kind: 'status_query',
    owner,
    finished_at: at.toISOString(),
    user_id: null,
    user_name: null,
    note: 'It counted as not received.',
  })
  await contradict(stores, { run, steps, step }, { ...denied, now: at.toISOString() })
  if (!denied.isOpen) await polls.removeWatch(watch)
}

interface Denied {
  /** The documents, where the request carries several. */
  references?: readonly string[]
  /** The authority has it, and has not decided. */
  isOpen: boolean
}

/** What the authority has of that which counts as not received; undefined: nothing that it names. */
async function deniedOf(
  { documents }: Stores,
  { run_id, position }: StepRow,
  settling: Pick<Settling, 'askBy'> & { target: Target; answered: Answered },
): Promise<Denied | undefined> {
  if (!settling.target.settings.documents) {
    const { verdict } = settling.answered.said
    const isOpen = verdict === 'pending'
    return isOpen || verdict === 'received' ? { isOpen } : undefined
  }
  const links = await documents.listOfStep(run_id, position)
  const back = links.filter(({ state }) => state === 'open' || state === 'not_accepted')
  const found = foundOf(
    back.map(({ reference }) => reference),
    settling,
    false,
  )
  const references = [...found].flatMap(([reference, { state }]) =>
    state === 'accepted' ? [reference] : [],
  )
  return references.length > 0 ? { references, isOpen: false } : undefined
}

/** What came after the person’s word. */
const since = (attempts: readonly AttemptRow[]) =>
  attempts.slice(
    attempts.findLastIndex(
      ({ kind }) => kind === 'resolved_not_received' || kind === 'resolved_received',
    ) + 1,
  )

const wasSentSince = (attempts: readonly AttemptRow[]) =>
  since(attempts).some(({ kind }) => kind === 'send' || kind === 'resend')

const wasNoted = (attempts: readonly AttemptRow[]) =>
  since(attempts).some(({ kind, verdict }) => kind === 'status_query' && verdict === 'pending')
