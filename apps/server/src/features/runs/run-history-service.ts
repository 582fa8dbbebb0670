import type { RunDetail } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { can, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { mayResolve, mayResume, mayRetry, type Deed } from './next-deeds.ts'
import { loadRun, historyOf, type StoredRun } from './open-run.ts'
import { isDuplicateSafe } from './classify-answer.ts'
import { currentTargets, surroundingsOf } from './resume-run.ts'
import type { RunFilter, RunHistoryStore } from './run-history-store.ts'
import { toRunDetail, toRunListItem } from './run-presenter.ts'
import type { AttemptRow, RunStore } from './run-store.ts'
import { findSummary, getSummary } from './run-summary.ts'
import type { Target, Targets } from './target.ts'

export interface RunHistoryServiceOptions {
  history: RunHistoryStore
  runs: RunStore
  inTransaction: InTransaction
  targets: Targets
  clock: Clock
}

/** Shows what the ledger knows. */
export class RunHistoryService {
  readonly #options: RunHistoryServiceOptions

  constructor(options: RunHistoryServiceOptions) {
    this.#options = options
  }

  async list(filter: RunFilter) {
    const { history } = this.#options
    const { rows, total } = await history.list(filter)
    const steps = await history.listStepsOf(rows.map(({ id }) => id))
    return { rows: rows.map((row) => toRunListItem(row, steps)), total }
  }

  unknown() {
    return this.#options.history.countUnknown()
  }

  async show(id: number, caller: Caller): Promise<RunDetail> {
    const { inTransaction, targets, history, clock } = this.#options
    const stored = await inTransaction(({ runs }) => loadRun(runs, id))
    const current = await currentTargets(stored, targets, caller)
    const { around, reused } = await inTransaction(async (stores) => ({
      around: await surroundingsOf(stores, stored, current, clock.now()),
      reused: await reusedAttempts(stores, stored),
    }))
    const credits = await history.listCredits(id)
    const resume = mayResume(stored, around)
    const again = mayRetry(stored, around, true)
    const correct = mayRetry(stored, around, false)
    const keptSteps = stored.steps.findIndex(({ state }) => state !== 'succeeded')
    return toRunDetail(stored, reused, {
      retried_by: around.retriedBy,
      credits: credits.map((run) => run.id),
      resume: {
        step: resume.ok ? (resume.step?.position ?? null) : null,
        refusal: wordsOf(resume),
      },
      run_again: { is_allowed: again.ok, refusal: wordsOf(again) },
      correct: {
        is_allowed: correct.ok,
        refusal: wordsOf(correct),
        kept_steps: Math.max(0, keptSteps),
      },
      canOf: (step) => {
        const { firstSentAt } = historyOf(stored.attemptsOf(step))
        const settings = current.get(step.position)?.settings
        const isOpen = mayResolve(stored, step)
        return {
          resolve: isOpen,
          resend:
            step.state === 'unknown' &&
            stored.run.state !== 'running' &&
            settings !== undefined &&
            firstSentAt !== undefined &&
            isDuplicateSafe(settings, firstSentAt, clock.now()),
          status_query: isOpen && hasStatusQuery(current.get(step.position)),
        }
      },
    })
  }

  /** One's own run, also while it is under way. */
  async byKey(key: string, kind: string | undefined, caller: Caller) {
    const { runs } = this.#options
    const found = await runs.findLatestByClientKey(caller.user.id, key, kind)
    if (!found) throw new AppError('run.not_found')
    return { run: await getSummary(runs, found.id) }
  }

  /** Throws 404 for those who may not see the run, as for a run that does not exist. */
  async refuseUnlessVisible(id: number, caller: Caller): Promise<void> {
    const run = await this.#options.runs.find(id)
    if (!run || (run.user_id !== caller.user.id && !can(caller, 'run.view')))
      throw new AppError('run.not_found')
  }

  summary(id: number) {
    return findSummary(this.#options.runs, id)
  }
}

const wordsOf = (deed: Deed) => (deed.ok ? null : deed.message)

const hasStatusQuery = (target: Target | undefined) =>
  (target?.settings.status_query?.endpoint_id ?? null) !== null

/** What the steps of other runs were answered with whose answers stand in here. */
async function reusedAttempts({ runs }: Stores, { steps }: StoredRun) {
  const found = new Map<number, AttemptRow[]>()
  for (const { reused_from } of steps) {
    if (reused_from !== null) found.set(reused_from, await runs.listAttemptsOf(reused_from))
  }
  return found
}
