import type { HealingMode, HealingPlan } from '@gatehouse/contract'
import type { Logger } from 'pino'
import { defaultQuietSeconds } from '@gatehouse/contract/run-profiles'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction } from '../../../stores.ts'
import { mayResolve } from '../actions/allowed-actions.ts'
import { inquiryOf } from '../actions/status-query/inquiry.ts'
import { historyOf, loadRun, type StoredRun } from '../ledger/open-run.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { asker } from '../pending/asker.ts'
import type { RunContinuer } from '../pending/run-continuer.ts'
import { isDuplicateSafe } from '../steps/answers/classify-answer.ts'
import type { Target, Targets } from '../steps/target.ts'
import type { BlockedByFound } from './blocked-by-found.ts'
import type { HealingInquirer } from './healing-inquirer.ts'
import {
  healedUntilMs,
  healingModeOf,
  longestPauseMs,
  pauseMs,
  planOf,
  spacingInLaneMs,
} from './healing-plan.ts'
import type { DueHealing, HealingStore } from './healing-store.ts'

/** One server does it at a time (see `Duty`). */
export interface HealingDuty {
  round(work: () => Promise<void>): Promise<void>
}

interface HealingKeeperOptions {
  healing: HealingStore
  duty: HealingDuty
  /** What the installation allows at most. */
  most: HealingMode
  targets: Targets
  inTransaction: InTransaction
  inquirer: HealingInquirer
  continuer: RunContinuer
  blocked: BlockedByFound
  clock: Clock
  log: Logger
}

/** New steps that one round takes note of, and steps that it looks at. */
const roundMax = 200
/** Acts at once, each at another API. */
const underWayMax = 8

interface Looked {
  plan: HealingPlan
  /** Null: not any more. */
  nextAt: Date | null
  tries?: number
}

/**
 * Heals runs of machines whose outcome is unknown, without a person (spec: healing): it asks the status query
 * of the endpoint, and sends again what certainly was not received; where there is none, it repeats the
 * same bytes inside the window that the endpoint declares. One act at a time for each API. What is due, and
 * when, is in the database: another server goes on where this one dies.
 */
export class HealingKeeper {
  readonly #options: HealingKeeperOptions
  readonly #underWay = new Map<string, Promise<void>>()
  /** By lane: not before. */
  readonly #quietUntilMs = new Map<number, number>()
  #isStopping = false

  constructor(options: HealingKeeperOptions) {
    this.#options = options
  }

  /** Begins what is due; `idle` resolves when that is done. */
  async round(): Promise<void> {
    if (this.#isStopping || this.#options.most === 'off') return
    await this.#options.duty.round(() => this.#round())
  }

  /** Resolves when the acts under way have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay.values())
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.idle()
  }

  async #round(): Promise<void> {
    const { healing, blocked, clock } = this.#options
    const now = clock.now()
    this.#begin('blocked', () => blocked.round())
    await healing.discover(now.toISOString(), roundMax)
    for (const due of await healing.listDue(now.toISOString(), roundMax)) {
      if (this.#underWay.size >= underWayMax || this.#isStopping) return
      // Of one register, one after the other.
      const key = `${due.is_test} ${due.register ?? ''}`
      if (this.#underWay.has(key) || !this.#isLaneFree(due, now)) continue
      this.#begin(key, () => this.#heal(due), due.run_id)
    }
  }

  /** Unless something with this key is under way. */
  #begin(key: string, act: () => Promise<void>, runId?: number): void {
    if (this.#underWay.has(key)) return
    const work = act()
      .catch((error: unknown) =>
        this.#options.log.error({ err: error, run_id: runId }, 'a run can’t be healed'),
      )
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, work)
  }

  /** Takes the lane's next moment where it is free. */
  #isLaneFree({ lane_id, ...limits }: DueHealing, now: Date): boolean {
    if (lane_id === null) return true
    const nowMs = now.getTime()
    if (nowMs < (this.#quietUntilMs.get(lane_id) ?? 0)) return false
    this.#quietUntilMs.set(lane_id, nowMs + spacingInLaneMs({ lane_id, ...limits }))
    return true
  }

  async #heal(due: DueHealing): Promise<void> {
    const { healing, inTransaction, clock } = this.#options
    const stored = await inTransaction(({ runs }) => loadRun(runs, due.run_id))
    const step = stored.steps.find(({ id }) => id === due.step_id)
    if (step?.state !== 'unknown' || !mayResolve(stored, step)) {
      await healing.remove(due.step_id)
      return
    }
    // Written before the act: a server that dies in it does not begin at once again and again.
    const pause = pauseMs(defaultQuietSeconds, due.tries)
    const later = new Date(clock.now().getTime() + pause).toISOString()
    await healing.update(step.id, { next_at: later })
    const { plan, nextAt, tries = due.tries } = await this.#look(stored, step, due)
    const after = await inTransaction(({ runs }) => runs.listSteps(due.run_id))
    if (after.some(({ id, state }) => id === step.id && state === 'unknown'))
      await healing.update(step.id, { plan, tries, next_at: nextAt?.toISOString() ?? null })
    else await healing.remove(step.id)
  }

  async #look(stored: StoredRun, step: StepRow, due: DueHealing): Promise<Looked> {
    const { targets, most, clock, log } = this.#options
    const now = clock.now()
    const in_ = (ms: number) => new Date(clock.now().getTime() + ms)
    const found = await targets.find(step.endpoint_id, asker)
    // The endpoint may be made usable again, and its settings may change.
    if (!found.ok) return { plan: 'no_way', nextAt: in_(longestPauseMs) }
    const { target } = found
    const plan = planFor(stored, target, most)
    if (plan !== 'ask' && plan !== 'repeat') return { plan, nextAt: in_(longestPauseMs) }
    if (now.getTime() >= healedUntilMs(target.settings, due.since)) {
      log.warn({ run_id: step.run_id, step: step.position }, 'an unknown outcome was not healed')
      return { plan: 'given_up', nextAt: null }
    }
    const quietSeconds = target.settings.status_query?.quiet_seconds ?? defaultQuietSeconds
    const attempts = stored.attemptsOf(step)
    const { isOpen, quietUntilMs } = inquiryOf(attempts, { quiet_seconds: quietSeconds }, target)
    if (isOpen) return { plan, nextAt: in_(pauseMs(quietSeconds, 0)) }
    if (now.getTime() < quietUntilMs) return { plan, nextAt: new Date(quietUntilMs) }
    const tries = due.tries + 1
    if (plan === 'repeat') {
      const isLeft = await this.#repeat(stored, step, target)
      return isLeft
        ? { plan, tries, nextAt: in_(pauseMs(quietSeconds, tries)) }
        : { plan: 'given_up', nextAt: null }
    }
    // What it lacks, a person can type.
    if (!(await this.#ask(stored, step, target)))
      return { plan: 'no_way', nextAt: in_(longestPauseMs) }
    return { plan, tries, nextAt: in_(pauseMs(quietSeconds, due.tries)) }
  }

  /** False where something is missing to ask by. */
  async #ask(stored: StoredRun, step: StepRow, target: Target): Promise<boolean> {
    const { inquirer, most, log } = this.#options
    const sendsAgain = healingModeOf(target.settings, most) === 'ask_and_send'
    try {
      await inquirer.ask(stored, step, target, { sendsAgain })
    } catch (error) {
      // It can't be asked, or the run has changed meanwhile.
      if (!(error instanceof AppError)) throw error
      if (Object.keys(error.details.fields ?? {}).some((field) => field.startsWith('values.')))
        return false
      log.warn({ run_id: step.run_id, step: step.position, err: error }, 'no healing question')
    }
    return true
  }

  /** False where the window is over: a repetition would be a document of its own. */
  async #repeat(stored: StoredRun, step: StepRow, { settings }: Target): Promise<boolean> {
    const { continuer, clock } = this.#options
    const { firstSentAt } = historyOf(stored.attemptsOf(step))
    if (firstSentAt === undefined || !isDuplicateSafe(settings, firstSentAt, clock.now()))
      return false
    await continuer.repeat(step.run_id)
    return true
  }
}

/** Of what was found, no bytes are here to be repeated. */
function planFor({ run }: StoredRun, { settings }: Target, most: HealingMode): HealingPlan {
  const plan = planOf(settings, most)
  return plan === 'repeat' && run.found_in !== null ? 'no_way' : plan
}
