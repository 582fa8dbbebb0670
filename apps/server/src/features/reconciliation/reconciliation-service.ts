import {
  periodDaysMax,
  type FieldErrors,
  type ReconciledList,
  type ReconciliationInput,
} from '@gatehouse/contract'
import type { ListQuery } from '../../db/listing.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { refuseWithout, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { cronProblems, nextRunAt } from '../../kernel/time/cron.ts'
import { csvLine } from '../../kernel/text/csv.ts'
import type { Lists } from '../../kernel/lists.ts'
import { savedThing } from '../../kernel/saved/saved-thing.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { ReconciliationKeeper } from './reconciliation-keeper.ts'
import { questionOf, type Period } from './reconciliation-parts.ts'
import type {
  LineFilter,
  ReconciliationFilter,
  ReconciliationRow,
  ResultRow,
} from './reconciliation-store.ts'
import { shownReconciliation } from './reconciliation-view.ts'

interface ReconciliationServiceOptions {
  stores: Pick<Stores, 'reconciliations'>
  inTransaction: InTransaction
  clock: Clock
  lists: Lists
  keeper: ReconciliationKeeper
}

const dayMs = 86_400_000
const rowsShown = 5
const exportedAtOnce = 500
const columns = [
  'kind',
  'reference',
  'erp_amount',
  'ledger_amount',
  'authority_amount',
  'state',
  'document_id',
  'run_id',
  'register',
] as const

/** Saves comparisons, starts them by hand and shows what differs. */
export class ReconciliationService {
  readonly #options: ReconciliationServiceOptions

  constructor(options: ReconciliationServiceOptions) {
    this.#options = options
  }

  list(query: ReconciliationFilter) {
    return this.#options.inTransaction(async (stores) => {
      const { rows, total } = await stores.reconciliations.list(query)
      return { rows: await withLast(stores, rows), total }
    })
  }

  get(id: number) {
    return this.#options.inTransaction(async (stores) => shown(stores, await existing(stores, id)))
  }

  async create(input: ReconciliationInput, actor: Actor) {
    const row = await this.#check(input, actor)
    return this.#options.inTransaction(async (stores) => {
      const { id } = await stores.reconciliations.insert(row)
      return shown(stores, await comparisons.saved(stores, actor, 'create', { id }))
    }, actor.caller)
  }

  async update(id: number, input: ReconciliationInput, actor: Actor) {
    const row = await this.#check(input, actor)
    return this.#options.inTransaction(async (stores) => {
      const before = await existing(stores, id)
      const version = input.version ?? before.version
      await stores.reconciliations.update(id, version, row)
      return shown(stores, await comparisons.saved(stores, actor, 'update', { id, before }))
    }, actor.caller)
  }

  remove(id: number, actor: Actor): Promise<void> {
    return this.#options.inTransaction(async (stores) => {
      const before = await existing(stores, id)
      await stores.reconciliations.remove(id)
      await record(stores, actor, 'delete', { before })
    }, actor.caller)
  }

  /** Queues a comparison of some days; the keeper carries it out. */
  async run(id: number, period: Period, actor: Actor): Promise<ResultRow> {
    const { inTransaction, clock, keeper } = this.#options
    refusePeriod(period)
    const result = await inTransaction(async (stores) => {
      const row = await existing(stores, id)
      const now = clock.now().toISOString()
      const inserted = await stores.reconciliations.insertResult({
        reconciliation_id: id,
        planned_for: now,
        ...period,
        state: 'queued',
        is_by_hand: 1,
        created_at: now,
      })
      await record(stores, actor, 'run', { after: row })
      return inserted
    }, actor.caller)
    if (!result) throw new AppError('record.conflict')
    void keeper.look()
    return result
  }

  listResults(id: number, query: ListQuery) {
    return this.#options.inTransaction(async (stores) => {
      await existing(stores, id)
      return stores.reconciliations.listResults(id, query)
    })
  }

  getResult(id: number, result: number) {
    return this.#options.inTransaction(async (stores) => {
      const { name } = await existing(stores, id)
      return { name, row: await existingResult(stores, id, result) }
    })
  }

  listLines(id: number, result: number, filter: LineFilter) {
    return this.#options.inTransaction(async (stores) => {
      await existingResult(stores, id, result)
      return stores.reconciliations.listLines(result, filter)
    })
  }

  async *exportLines(resultId: number): AsyncIterable<Uint8Array> {
    const { reconciliations } = this.#options.stores
    yield Buffer.from(csvLine(columns))
    for (let afterId = 0; ;) {
      const lines = await reconciliations.listLinesAfter(resultId, afterId, exportedAtOnce)
      if (lines.length === 0) return
      yield Buffer.from(
        lines.map((line) => csvLine(columns.map((column) => line[column]))).join(''),
      )
      afterId = lines.at(-1)?.id ?? 0
    }
  }

  /** What a list of yesterday holds. Throws a 422 where there is none. */
  async tryList(list: ReconciledList, caller: Caller, left: AbortSignal) {
    const day = new Date(this.#options.clock.now().getTime() - dayMs).toISOString().slice(0, 10)
    const period = { from_day: day, to_day: day }
    const fetched = await this.#options.lists.fetch(questionOf(list, period, 'UTC'), caller, left)
    if (!fetched.ok) throw fieldError({ [`list.${fetched.field}`]: [fetched.message] })
    const without = fetched.elements.findIndex(({ values }) => values['reference'] === undefined)
    if (without >= 0)
      throw fieldError({
        'list.reference_path': [`Element ${without + 1} has no reference there.`],
      })
    const rows = fetched.elements
      .slice(0, rowsShown)
      .map(({ values: { reference = '', amount = null } }) => ({ reference, amount }))
    return { found: fetched.elements.length, rows }
  }

  async #check(input: ReconciliationInput, { caller }: Actor) {
    // What it does at its times, its user could do by hand.
    refuseWithout(caller, 'reconciliation.run')
    const { name, cron, time_zone, version: _version, ...definition } = input
    const problems = cronProblems({ cron: cron === '' ? '0 0 * * *' : cron, time_zone })
    const errors: FieldErrors = { ...problems }
    const now = this.#options.clock.now()
    if (!errors['time_zone'])
      for (const which of ['erp', 'authority'] as const)
        Object.assign(errors, await this.#listProblems(which, definition, caller, time_zone))
    if (Object.keys(errors).length > 0) throw fieldError(errors)
    return {
      name,
      cron,
      time_zone,
      definition: JSON.stringify(definition),
      next_run_at: cron === '' ? null : (nextRunAt(cron, time_zone, now)?.toISOString() ?? null),
      user_id: caller.user.id,
      user_name: caller.user.name,
      updated_at: now.toISOString(),
    }
  }

  async #listProblems(
    which: 'erp' | 'authority',
    definition: Pick<ReconciliationInput, 'erp' | 'authority'>,
    caller: Caller,
    zone: string,
  ): Promise<FieldErrors> {
    const list = definition[which]
    if (!list) return {}
    const period = { from_day: '2026-01-01', to_day: '2026-01-01' }
    const prepared = await this.#options.lists.prepare(questionOf(list, period, zone), caller)
    return prepared.ok ? {} : { [`${which}.${prepared.field}`]: [prepared.message] }
  }
}

function refusePeriod({ from_day, to_day }: Period): void {
  const days = (Date.parse(to_day) - Date.parse(from_day)) / dayMs + 1
  if (days < 1) throw fieldError({ to_day: ['The last day is before the first.'] })
  if (days > periodDaysMax)
    throw fieldError({ to_day: [`A period has at most ${periodDaysMax} days.`] })
}

const comparisons = savedThing({
  thing: 'reconciliation',
  missing: 'reconciliation.not_found',
  find: ({ reconciliations }: Stores, id) => reconciliations.find(id),
  audited: shownReconciliation,
})
const { existing, record } = comparisons

async function existingResult({ reconciliations }: Stores, id: number, result: number) {
  const row = await reconciliations.findResult(id, result)
  if (!row) throw new AppError('reconciliation.not_found', { message: 'There is no such result.' })
  return row
}

const shown = async (stores: Stores, row: ReconciliationRow) => (await withLast(stores, [row]))[0]!

async function withLast({ reconciliations }: Stores, rows: readonly ReconciliationRow[]) {
  const last = await reconciliations.listLast(rows.map(({ id }) => id))
  return rows.map((row) => ({ row, last: last.find((each) => each.reconciliation_id === row.id) }))
}
