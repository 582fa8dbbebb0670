import type { HealingRow } from '../healing/healing-store.ts'
import type { FileAnswer, RunDetail, RunStepDetail } from '@gatehouse/contract'
import { defaultPendingTimes } from '@gatehouse/contract/run-profiles'
import type { Row } from '../../../db/tables.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { can, type Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { askAgainAfter, inquiryOf, negativesNeeded } from '../actions/status-query/inquiry.ts'
import { withAnswers, withBodies, type ArchivedRuns } from '../ledger/reading/archived-runs.ts'
import { loadRun, type StoredRun } from '../ledger/open-run.ts'
import { receivedAsks } from '../verdicts/received-asks.ts'
import { rejectedBody } from '../actions/rejected-body.ts'
import { callable, currentLookups, surroundingsOf } from '../actions/resume-run.ts'
import { askableSteps, offersOf, resolvableSteps } from './offered-actions.ts'
import type { RunFilter } from './run-filters.ts'
import type { RunHistoryStore } from './run-history-store.ts'
import { toAnswerFile, toRunDetail, toRunListItem } from './run-presenter.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import type { RunStore, StepRow } from '../ledger/run-store.ts'
import { getSummary } from '../ledger/reading/run-summary.ts'
import { giveUpAt } from '../pending/poll-times.ts'
import type { Target, Targets } from '../steps/target.ts'

export type QueuePlaceOf = (stores: Stores, runId: number, now: Date) => Promise<RunDetail['queue']>

interface RunHistoryServiceOptions {
  history: RunHistoryStore
  runs: RunStore
  inTransaction: InTransaction
  targets: Targets
  clock: Clock
  queuePlaceOf: QueuePlaceOf
  archived: ArchivedRuns
}

/** Shows the runs of the ledger. */
export class RunHistoryService {
  readonly #options: RunHistoryServiceOptions

  constructor(options: RunHistoryServiceOptions) {
    this.#options = options
  }

  async list(filter: RunFilter) {
    const { history } = this.#options
    const found = await history.list(filter)
    const ids = found.rows.map(({ id }) => id)
    const steps = await history.listStepsOf(ids)
    const named = await history.namedOf(found.rows)
    return { ...found, rows: found.rows.map((row) => toRunListItem(row, steps, named)) }
  }

  unknown() {
    return this.#options.history.countUnknown()
  }

  /** `isReadBack`: with bodies and answers that are in the archive. Throws a 409 or 503 where it can't. */
  async show(id: number, caller: Caller, isReadBack: boolean): Promise<RunDetail> {
    const { inTransaction, targets, history, clock, queuePlaceOf, archived } = this.#options
    const place = await archived.placeOf(id)
    const lines = isReadBack ? await archived.readWithOrigins(id) : []
    const stored = withBodies(await inTransaction(({ runs }) => loadRun(runs, id)), lines)
    const lookups = await currentLookups(stored, targets, caller)
    const current = callable(lookups)
    const { around, reused, polls, healing, documents, rejected, queue, release } =
      await inTransaction(async (stores) => ({
        queue: stored.run.state === 'queued' ? await queuePlaceOf(stores, id, clock.now()) : null,
        release: await stores.releases.find(id),
        polls: stored.run.state === 'pending' ? await stores.polls.listOfRun(id) : [],
        healing: stored.run.state === 'unknown' ? await stores.healing.listOfRun(id) : [],
        around: await surroundingsOf(stores, stored, current, clock.now()),
        reused: await reusedAttempts(stores, stored, lines),
        documents: await stores.documents.listOfRun(id),
        rejected: await rejectedBodies(stores, stored, current),
      }))
    const credits = await history.listCredits(id)
    const shown = { stored, lookups, caller }
    const offers = offersOf(shown, around)
    const resolvable = await resolvableSteps(targets, shown)
    const askable = await askableSteps(targets, shown)
    return toRunDetail(stored, reused, {
      queue,
      release: release ? toRelease(release) : null,
      archive: place
        ? { file_id: place.file_id, file: place.name, line: place.line ?? 0, is_read: isReadBack }
        : null,
      named: await history.namedOf([stored.run]),
      retried_by: around.retriedBy,
      credits: credits.map((run) => run.id),
      ...offers,
      canOf: (step) => ({
        resolve: resolvable.has(step.position),
        resend: offers.resume.step === step.position && step.state === 'unknown',
        status_query: askable.has(step.position),
      }),
      missingOf: ({ position }) => askable.get(position) ?? [],
      receivedAsksOf: ({ position }) =>
        receivedAsks(
          current.get(position)?.settings,
          documents.filter((each) => each.position === position).length,
        ),
      documentsOf: ({ position }) =>
        documents
          .filter((each) => each.position === position)
          .map(({ position: _, ...document }) => document),
      rejectedBodyOf: ({ position }) => rejected.get(position),
      pendingOf: (step) => toPending(polls, step, current.get(step.position)),
      healingOf: (step) => toHealing(healing, step),
      inquiryOf: (step) =>
        askable.has(step.position) && step.state !== 'pending'
          ? toInquiry(stored.attemptsOf(step), current.get(step.position), clock.now())
          : null,
    })
  }

  /** A whole stored answer. Throws 404 where the run, the step or its answer does not exist. */
  async answer(id: number, position: number, number: number | undefined): Promise<FileAnswer> {
    const lines = await this.#options.archived.readWithOrigins(id)
    const stored = await this.#options.inTransaction(async ({ runs }) => {
      const step = (await runs.listSteps(id)).find((each) => each.position === position)
      if (!step) throw new AppError('run.not_found')
      return runs.listAttemptsOf(step.reused_from ?? step.id)
    })
    const attempt = withAnswers(stored, lines).findLast(
      (each) => each.answer_body !== null && (number === undefined || each.number === number),
    )
    if (!attempt) throw new AppError('run.no_answer')
    return toAnswerFile(attempt, `run-${id}-step-${position}-attempt-${attempt.number}`)
  }

  /** The caller's latest run with a key, also while it is under way. */
  async byKey(key: string, kind: string | undefined, caller: Caller) {
    const { runs } = this.#options
    const found = await runs.findLatestByClientKey(caller.user.id, key, kind)
    if (!found) throw new AppError('run.not_found')
    return { run: await getSummary(runs, found.id) }
  }

  /** Throws 404 where the caller may not see the run, as for a run that does not exist. */
  async refuseUnlessVisible(id: number, caller: Caller): Promise<void> {
    const run = await this.#options.runs.find(id)
    if (!run || (run.user_id !== caller.user.id && !can(caller, 'run.view')))
      throw new AppError('run.not_found')
  }
}

function toRelease(row: Row<'run_release'>): RunDetail['release'] {
  const { via, asked_by, asked_at, expires_at, decision, decided_at, decided_by_name, note } = row
  return {
    via,
    asked_by,
    asked_at,
    expires_at,
    decision,
    decided_at,
    decided_by: decided_by_name,
    note,
  }
}

function toHealing(rows: readonly HealingRow[], step: StepRow): RunStepDetail['healing'] {
  const row = rows.find(({ step_id }) => step_id === step.id)
  if (!row || step.state !== 'unknown') return null
  const { plan, since, tries, next_at } = row
  return { plan, since, tries, next_at }
}

function toInquiry(attempts: readonly AttemptRow[], target: Target | undefined, now: Date) {
  const query = target?.settings.status_query
  if (!target || !query) return null
  const inquiry = inquiryOf(attempts, query, target)
  return {
    quiet_seconds: inquiry.quietSeconds,
    negatives: inquiry.negativesAtMs.length,
    negatives_needed: negativesNeeded,
    ask_again_after: askAgainAfter(inquiry, now),
  }
}

/** What is left to correct of partly accepted steps, by position. */
async function rejectedBodies(
  stores: Stores,
  { steps }: StoredRun,
  current: ReadonlyMap<number, Target>,
) {
  const found = new Map<number, string>()
  for (const step of steps) {
    const settings = current.get(step.position)?.settings.documents ?? null
    const body = await rejectedBody(stores, step, settings)
    if (body !== undefined) found.set(step.position, body)
  }
  return found
}

function toPending(
  polls: Awaited<ReturnType<Stores['polls']['listOfRun']>>,
  step: StepRow,
  target: Target | undefined,
): RunStepDetail['pending'] {
  const poll = polls.find(({ step_id }) => step_id === step.id)
  if (!poll || step.state !== 'pending') return null
  const { step_id: _, ...facts } = poll
  const settings = target?.settings.pending ?? defaultPendingTimes
  return { ...facts, give_up_at: giveUpAt(settings, poll.since).toISOString() }
}

/** The attempts of the steps of other runs whose answers this run reuses. */
async function reusedAttempts(
  { runs }: Stores,
  { steps }: StoredRun,
  lines: Awaited<ReturnType<ArchivedRuns['readWithOrigins']>>,
) {
  const found = new Map<number, AttemptRow[]>()
  for (const { reused_from } of steps) {
    if (reused_from === null) continue
    found.set(reused_from, withAnswers(await runs.listAttemptsOf(reused_from), lines))
  }
  return found
}
