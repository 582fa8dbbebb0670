import type { ArchiveProblem } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { nextRunAt } from '../../kernel/time/cron.ts'
import { holdNowAndThen } from '../../kernel/leases/lease-time.ts'
import { Rounds } from '../../kernel/rounds.ts'
import { isStoreFull } from '../../db/outages/store-refusal.ts'
import { archiveRound } from './archive-round.ts'
import { FileFailure } from './files/archive-threads.ts'
import type { DutyOf } from './duty-of.ts'
import { RoundEnded, type RoundParts } from './round-parts.ts'
import { RoundProgress } from './round-progress.ts'
import { dailyMeasure } from './sizes.ts'

const lookEveryMs = 30_000
/** Well within the lease of the duty. */
const holdEveryMs = 10_000

interface KeeperOptions extends RoundParts {
  /** The lease of the one server that archives. */
  duty: DutyOf
  /** Bytes of the database. */
  databaseBytes: () => Promise<number>
}

/** Archives in the quiet hours, and when a person asks; one of all servers at a time. */
export class ArchiveKeeper {
  readonly #options: KeeperOptions
  readonly #rounds: Rounds
  readonly #measure: () => Promise<void>
  /** Where there was no round yet, the schedule counts from here. */
  readonly #madeAt: Date
  #isStopping = false

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#madeAt = options.clock.now()
    this.#measure = dailyMeasure(options)
    this.#rounds = new Rounds({
      everyMs: lookEveryMs,
      work: () => this.#look(),
      log: options.log,
      failure: 'the archive could not be looked after',
    })
  }

  start(): void {
    this.#rounds.start()
  }

  /** A round under way ends after its step; the next start goes on with it. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#rounds.stop()
  }

  /** Archives now if it is time. */
  look(): Promise<void> {
    return this.#rounds.look()
  }

  #look(): Promise<void> {
    const { duty, inTransaction } = this.#options
    return duty.round(async () => {
      await this.#measure()
      const { round, settings, left } = await inTransaction(async ({ archive }) => ({
        round: await archive.getRound(),
        settings: await archive.getSettings(),
        left: await archive.listFiles('verified', this.#options.owner),
      }))
      const isCut = round.phase !== 'idle' && round.problem === null
      if (isCut || left.length > 0 || this.#isTime(round, settings)) await this.#archive()
    })
  }

  #isTime(round: Row<'archive_round'>, settings: Row<'archive_setting'>): boolean {
    if (round.asked_at !== null) return true
    const next = nextRoundAt(round, settings, this.#madeAt)
    return next !== null && next.getTime() <= this.#options.clock.now().getTime()
  }

  async #archive(): Promise<void> {
    const { clock, owner, log } = this.#options
    const now = () => clock.now().toISOString()
    const progress = new RoundProgress(this.#options)
    await progress.enter('sorting', {
      server: owner,
      asked_at: null,
      started_at: now(),
      ended_at: null,
    })
    let problem: { problem: ArchiveProblem; text: string } | undefined
    try {
      await archiveRound(this.#options, { hold: this.#holding() }, progress)
    } catch (error) {
      if (error instanceof RoundEnded) return
      problem = { problem: problemOf(error), text: (error as Error).message }
      log.error({ err: error }, 'a round of the archive stopped')
    }
    await progress.enter('idle', {
      ended_at: now(),
      problem: problem?.problem ?? null,
      problem_text: problem?.text ?? null,
      problem_at: problem ? now() : null,
    })
  }

  /** Renews the lease now and then. Throws a RoundEnded where the round may not go on. */
  #holding() {
    const { duty, clock } = this.#options
    const goesOn = holdNowAndThen({ hold: () => duty.hold(), clock }, holdEveryMs)
    return async () => {
      if (this.#isStopping) throw new RoundEnded('The server stops.')
      if (!(await goesOn())) throw new RoundEnded('Another server archives.')
    }
  }
}

/** When the next round begins by the schedule; null: never. `since` counts before the first round. */
export function nextRoundAt(
  { started_at }: Pick<Row<'archive_round'>, 'started_at'>,
  { cron, time_zone }: Pick<Row<'archive_setting'>, 'cron' | 'time_zone'>,
  since: Date,
): Date | null {
  return nextRunAt(cron, time_zone, started_at === null ? since : new Date(started_at))
}

function problemOf(error: unknown): ArchiveProblem {
  if (isStoreFull(error)) return 'disk_full'
  if (!(error instanceof FileFailure)) return 'failed'
  return error.reason === 'disk_full'
    ? 'disk_full'
    : error.reason === 'failed'
      ? 'failed'
      : 'file_changed'
}
