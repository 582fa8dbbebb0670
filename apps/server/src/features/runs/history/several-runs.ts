import type { ChosenAnswer, RunOutcome, Verdict } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction } from '../../../stores.ts'
import type { RunFilter } from './run-filters.ts'
import type { RunHistoryStore } from './run-history-store.ts'
import { loadRun } from '../ledger/open-run.ts'
import { refuseWhileHeld } from '../ledger/refuse-while-held.ts'
import { decidingStep } from '../ledger/run-state.ts'
import { mayResolve } from '../actions/allowed-actions.ts'
import type { RunCloser } from '../actions/close-run.ts'
import type { StepInquirer } from '../actions/status-query/query-step.ts'
import type { RunResolver } from '../actions/resolve-run.ts'
import type { RunResumer } from '../actions/resume-run.ts'

interface SeveralRunsOptions {
  history: RunHistoryStore
  inTransaction: InTransaction
  clock: Clock
  resumer: RunResumer
  resolver: RunResolver
  inquirer: StepInquirer
  closer: RunCloser
}

type Filter = Partial<Omit<RunFilter, 'page' | 'limit' | 'search' | 'sort' | 'key'>>

/** The runs by their ids, or all that a filter finds; after one of them. */
interface Chosen {
  ids?: number[] | undefined
  filter?: Filter | undefined
  after: number
}

type Done = Pick<RunOutcome, 'outcome' | 'message'>

/** One call tries that many runs at most, and begins with none after this time. */
const triedMax = 100
const budgetMs = 10_000

/** Actions on several runs: one after the other, each with the checks and the audit event of its own call. */
export class SeveralRuns {
  readonly #options: SeveralRunsOptions

  constructor(options: SeveralRunsOptions) {
    this.#options = options
  }

  ask(chosen: Chosen, context: CallContext) {
    const { inquirer } = this.#options
    return this.#each(chosen, context, async (id) => {
      const step = await this.#openStep(id)
      const { message, verdict } = await inquirer.query(id, { step, token: '' }, context)
      return { outcome: verdict === 'undecided' ? 'undecided' : 'done', message }
    })
  }

  /** While the installation is held, nothing begins without `confirmsHeld`. */
  async resume(chosen: Chosen, confirmsHeld: boolean, context: CallContext) {
    const { resumer, inTransaction } = this.#options
    await inTransaction((stores) =>
      refuseWhileHeld(stores, { steps: [{ effect: 'submit', isDry: false }], confirmsHeld }),
    )
    return this.#each(chosen, context, async (id) => {
      const { message } = await resumer
        .resume(id, { tokens: {}, confirmsHeld }, { ...context, setStatus: () => undefined })
        .catch(endedBadly)
      return { outcome: 'done', message }
    })
  }

  resolve(
    { verdict, note, ...chosen }: Chosen & { verdict: Verdict; note: string },
    context: CallContext,
  ) {
    const { resolver } = this.#options
    return this.#each(chosen, context, async (id) => {
      const step = await this.#openStep(id)
      const { message } = await resolver.resolve(
        id,
        { step, verdict, reference: '', note },
        context,
      )
      return { outcome: 'done', message }
    })
  }

  close({ reason, ...chosen }: Chosen & { reason: string }, context: CallContext) {
    const { closer } = this.#options
    return this.#each(chosen, context, async (id) => {
      const { message } = await closer.close(id, reason, context)
      return { outcome: 'done', message }
    })
  }

  async #each(
    chosen: Chosen,
    { signal }: CallContext,
    act: (id: number) => Promise<Done>,
  ): Promise<ChosenAnswer> {
    const { clock } = this.#options
    const until = clock.now().getTime() + budgetMs
    const ids = await this.#idsOf(chosen)
    const results: RunOutcome[] = []
    for (const id of ids) {
      const isOver = results.length > 0 && clock.now().getTime() >= until
      if (results.length >= triedMax || isOver || signal.aborted) break
      results.push(await this.#outcomeOf(id, act))
    }
    const isLeft = results.length < ids.length
    return { results, next_after: isLeft ? (results.at(-1)?.id ?? chosen.after) : null }
  }

  /** In their order, and one more than are tried. */
  async #idsOf({ ids, filter, after }: Chosen): Promise<number[]> {
    if (ids) return ids.filter((id) => id > after).toSorted((one, other) => one - other)
    const blank = { page: 1, limit: 1, search: '', reference: '', user: '', key: '' }
    return this.#options.history.listIdsAfter({ ...blank, ...filter }, after, triedMax + 1)
  }

  async #outcomeOf(id: number, act: (id: number) => Promise<Done>): Promise<RunOutcome> {
    const done = await act(id).catch(refusal)
    const run = await this.#options.inTransaction(({ runs }) => runs.find(id))
    return { id, reference: run?.reference ?? null, ...done, state: run?.state ?? null }
  }

  /** The position of the step that a person can say something about, or that decides. */
  async #openStep(id: number): Promise<number> {
    const stored = await this.#options.inTransaction(({ runs }) => loadRun(runs, id))
    const open = stored.steps.find((step) => mayResolve(stored, step))
    return (open ?? decidingStep(stored.steps))?.position ?? 1
  }
}

function refusal(error: unknown): Done {
  if (!(error instanceof AppError)) throw error
  return { outcome: 'refused', message: error.message }
}

/** It went on, and ended without success: the action itself was done. */
function endedBadly(error: unknown): { message: string } {
  const isEnd =
    error instanceof AppError && (error.code === 'run.failed' || error.code === 'run.unknown')
  if (!isEnd) throw error
  const detail = error.details.extra?.['detail']
  return { message: typeof detail === 'string' ? detail : error.message }
}
