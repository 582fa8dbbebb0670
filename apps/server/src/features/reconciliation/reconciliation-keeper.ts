import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import { nextRunAt } from '../../kernel/time/cron.ts'
import { Rounds } from '../../kernel/rounds.ts'
import { offsetMs } from '../../kernel/time/zone-time.ts'
import type { InTransaction } from '../../stores.ts'
import type { Difference } from './compare-lists.ts'
import { spanOf } from './reconciliation-parts.ts'
import type { ReconciliationRow, ResultRow } from './reconciliation-store.ts'
import { runComparison, type Comparison, type ComparisonParts } from './run-comparison.ts'

const everyMs = 2_000
const holdEveryMs = 15_000
const dayMs = 86_400_000
/** Fewer than the results that are kept. */
const caughtUpMaxDays = 90

/** Work that one server does at a time. */
interface Duty {
  round(work: () => Promise<void>): Promise<void>
  hold(): Promise<boolean>
}

interface ReconciliationKeeperOptions extends ComparisonParts {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  duty: Duty
}

/**
 * Carries comparisons out, on one server at a time. A moment is claimed in one transaction, so that it is
 * compared once. What a server leaves unfinished, the next one does from its beginning: it only reads.
 */
export class ReconciliationKeeper {
  readonly #options: ReconciliationKeeperOptions
  readonly #rounds: Rounds
  readonly #stopping = new AbortController()

  constructor(options: ReconciliationKeeperOptions) {
    this.#options = options
    const failure = 'the comparisons could not be looked at'
    const work = () => options.duty.round(() => this.#round())
    this.#rounds = new Rounds({ everyMs, work, log: options.log, failure })
  }

  start(): void {
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#rounds.stop()
  }

  look(): Promise<void> {
    return this.#rounds.look()
  }

  async #round(): Promise<void> {
    const { stores, clock } = this.#options
    const now = clock.now().toISOString()
    for (const due of await stores.reconciliations.listDue(now)) await this.#claim(due)
    for (const open of await stores.reconciliations.listOpen()) {
      if (this.#stopping.signal.aborted) return
      await this.#carryOut(open)
    }
  }

  /** Each moment compares the day before it, in its time zone: also those that no server was there for. */
  #claim(row: ReconciliationRow): Promise<void> {
    const { inTransaction, clock } = this.#options
    const { cron, time_zone } = row
    const now = clock.now()
    const next = nextRunAt(cron, time_zone, now)?.toISOString() ?? null
    return inTransaction(async ({ reconciliations }) => {
      if (!(await reconciliations.moveOn(row, next))) return
      for (const planned of plannedUntil(row, now)) {
        const day = dayOf(planned.getTime() - dayMs, time_zone)
        await reconciliations.insertResult({
          reconciliation_id: row.id,
          planned_for: planned.toISOString(),
          from_day: day,
          to_day: day,
          state: 'queued',
          is_by_hand: 0,
          created_at: now.toISOString(),
        })
      }
    })
  }

  async #carryOut(result: ResultRow): Promise<void> {
    const { stores, duty } = this.#options
    const row = await stores.reconciliations.find(result.reconciliation_id)
    if (!row) return
    const lost = new AbortController()
    const signal = AbortSignal.any([lost.signal, this.#stopping.signal])
    const hold = async () => (await duty.hold().catch(() => true)) || lost.abort()
    const holding = setInterval(() => void hold(), holdEveryMs).unref()
    try {
      await stores.reconciliations.updateResult(result.id, { state: 'running' })
      const comparison = await this.#compare(row, result, signal)
      // Another server may have stored its own since.
      if (!signal.aborted && (await duty.hold())) await this.#store(row, result, comparison)
    } finally {
      clearInterval(holding)
    }
  }

  async #compare(row: ReconciliationRow, result: ResultRow, signal: AbortSignal) {
    try {
      return await runComparison(this.#options, row, result, signal)
    } catch (error) {
      this.#options.log.error({ err: error, reconciliation: row.id }, 'a comparison has failed')
      const message = 'It ended with an error of the server. The log says more.'
      return { state: 'failed', message } as const
    }
  }

  #store(row: ReconciliationRow, { id }: ResultRow, comparison: Comparison): Promise<void> {
    const { inTransaction, clock } = this.#options
    const ended_at = clock.now().toISOString()
    return inTransaction(async ({ reconciliations }) => {
      if (comparison.state === 'done') {
        const { differences, counts } = comparison
        await reconciliations.setLines(id, differences)
        await reconciliations.updateResult(id, {
          state: 'done',
          ended_at,
          counts: JSON.stringify(counts),
          differences: JSON.stringify(countByKind(differences)),
        })
      } else {
        const { state, message } = comparison
        await reconciliations.updateResult(id, { state, message, ended_at })
      }
      await reconciliations.removeOld(row.id)
    })
  }
}

/** The day of a calendar in this zone. */
const dayOf = (atMs: number, zone: string) =>
  new Date(atMs + offsetMs(zone, atMs)).toISOString().slice(0, 10)

/**
 * The first moment of each day, from the one that is due until now. After a longer absence the days before the
 * last 90 are left out: their results would not be kept.
 */
function plannedUntil({ cron, time_zone, next_run_at }: ReconciliationRow, now: Date): Date[] {
  const from = new Date(now.getTime() - caughtUpMaxDays * dayMs)
  const due = new Date(next_run_at ?? now)
  const moments: Date[] = []
  let at = due < from ? nextRunAt(cron, time_zone, from) : due
  while (at && at <= now) {
    moments.push(at)
    const day = dayOf(at.getTime(), time_zone)
    const { to } = spanOf({ from_day: day, to_day: day }, time_zone)
    at = nextRunAt(cron, time_zone, new Date(Date.parse(to) - 1))
  }
  return moments
}

const countByKind = (differences: readonly Difference[]) =>
  Object.fromEntries(
    Map.groupBy(differences, ({ kind }) => kind)
      .entries()
      .map(([kind, lines]) => [kind, lines.length]),
  )
