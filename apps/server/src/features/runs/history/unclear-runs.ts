import type { UnclearRun } from '@gatehouse/contract'
import { readRow } from '../../../db/tables/column.ts'
import { stepBrief } from '../../../db/tables/runs.ts'
import type { Row } from '../../../db/tables.ts'
import { can, type Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { ReadTogether } from '../../../stores.ts'
import { callable, currentLookups, surroundingsOf } from '../actions/resume-run.ts'
import type { HealingRow } from '../healing/healing-store.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import { historyOf, loadRun, type StoredRun } from '../ledger/open-run.ts'
import { decidingStep } from '../ledger/run-state.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { asker } from '../pending/asker.ts'
import type { Targets } from '../steps/target.ts'
import { askableSteps, offersOf, resolvableSteps } from './offered-actions.ts'
import type { RunFilter } from './run-filters.ts'
import type { RunHistoryStore } from './run-history-store.ts'
import { headOf } from './run-presenter.ts'

interface UnclearRunsOptions {
  history: RunHistoryStore
  readTogether: ReadTogether
  targets: Targets
  clock: Clock
}

/** The work list of runs that are neither accepted nor refused. */
export class UnclearRuns {
  readonly #options: UnclearRunsOptions

  constructor(options: UnclearRunsOptions) {
    this.#options = options
  }

  /** What each allows is decided as for its own page. */
  async list(filter: RunFilter, caller: Caller) {
    const { history } = this.#options
    const sort = filter.sort || 'created_at'
    const found = await history.list({ ...filter, sort, work: 'unclear' })
    const named = await history.namedOf(found.rows)
    const rows: UnclearRun[] = []
    for (const run of found.rows)
      rows.push({ ...headOf(run, named), ...(await this.#factsOf(run, caller)) })
    return { ...found, rows }
  }

  async #factsOf({ id }: Row<'run'>, caller: Caller) {
    const { readTogether, targets, clock } = this.#options
    const stored = await readTogether(({ runs }) => loadRun(runs, id))
    const lookups = await currentLookups(stored, targets, caller)
    const { around, healing } = await readTogether(async (stores) => ({
      around: await surroundingsOf(stores, stored, callable(lookups), clock.now()),
      healing: await stores.healing.listOfRun(id),
    }))
    const shown = { stored, lookups, caller }
    const offers = offersOf(shown, around)
    const step = decidingStep(stored.steps)
    return {
      since: sinceOf(stored),
      step: step ? toStep(step, stored.attemptsOf(step)) : null,
      healing: step ? toHealing(healing, step, stored.attemptsOf(step)) : null,
      can: {
        ask: (await askableSteps(targets, shown)).size > 0,
        resume: offers.resume.step !== null && can(caller, 'run.resume'),
        resolve: (await resolvableSteps(targets, shown)).size > 0,
        close: offers.close.is_allowed,
      },
    }
  }
}

const sinceOf = ({ run }: StoredRun) => run.unknown_since ?? run.finished_at ?? run.created_at

function toStep(step: StepRow, attempts: readonly AttemptRow[]): UnclearRun['step'] {
  const { last } = historyOf(attempts)
  return {
    ...readRow(stepBrief, step),
    outcome: last?.outcome ?? null,
    status: last?.status ?? null,
  }
}

function toHealing(
  rows: readonly HealingRow[],
  step: StepRow,
  attempts: readonly AttemptRow[],
): UnclearRun['healing'] {
  const row = rows.find(({ step_id }) => step_id === step.id)
  if (!row || step.state !== 'unknown') return null
  const { plan, since, tries, next_at } = row
  const last = attempts.findLast(
    ({ kind, user_name }) =>
      user_name === asker.user.name && (kind === 'status_query' || kind === 'resend'),
  )
  return {
    plan,
    since,
    tries,
    next_at,
    last: last ? { at: last.started_at, detail: last.detail } : null,
  }
}
