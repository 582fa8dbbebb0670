import type { Exchanged } from '@gatehouse/upstream'
import { allOf } from '../../../db/all-of.ts'
import type { NewRow } from '../../../db/tables.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { beginQueued, beginRun, type BeginFacts } from './begin-run.ts'
import type { NewRun } from './new-run-rows.ts'
import { claimStep } from './claim-step.ts'
import { endRun, type OwnFailure } from './end-run.ts'
import { findFinished, type Finished, type ReadyStep } from './reading/find-finished.ts'
import { finishStep, seeAnswer, type SeenAnswer } from './finish-step.ts'
import type { FrozenRequest } from '../steps/freeze-request.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import { LeaseLost, type LiveRun, type LiveStep, type OpenAttempt } from './reading/live-run.ts'
import { recoverRuns } from './recover-run.ts'
import { repeatAttempt } from './repeat-attempt.ts'
import type { RunFeed } from './reading/run-feed.ts'
import { isDone, runStateOf } from './run-state.ts'
import type { RunRow } from './run-store.ts'

interface LedgerOptions {
  inTransaction: InTransaction
  clock: Clock
  leases: Leases
  feed: RunFeed
  /** Called with each run that `recover` has closed, as its server left it. */
  onRecovered?: ((run: RunRow) => void) | undefined
}

type Claimed =
  | { ok: true; attempt: OpenAttempt }
  /** The step was blocked: it, or the document that it carries, must not be sent. */
  | { ok: false }

/**
 * The journal of everything that is sent. The request is committed before the socket opens, and the
 * answer afterwards. A process that dies in between leaves an open attempt, which the next start or
 * another server finds. Attempts are never deleted or overwritten. Every transition is fenced: a
 * server that has lost the lease of the run gets `LeaseLost` and changes nothing.
 */
export class Ledger {
  readonly #options: LedgerOptions

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /** Call it in the transaction that decided to make the run, and `begun` after the commit. */
  begin(stores: Stores, run: NewRun, facts: BeginFacts): Promise<LiveRun> {
    return beginRun(stores, run, facts, this.#options.leases, this.#now())
  }

  /** Call it when the run is committed: this server renews its lease from now on. */
  begun(live: LiveRun): void {
    this.#options.leases.hold(live, live.leaseUntil)
    this.#options.feed.changed(live.id)
  }

  /** Freezes a step and opens an attempt. Send only after this has returned, and once. */
  async claim(live: LiveRun, ready: ReadyStep): Promise<Claimed> {
    try {
      const attempt = await this.#change(live, (stores) => this.#claimIn(stores, live, ready))
      return { ok: true, attempt }
    } catch (error) {
      // The document belongs to another run, or a right was lost: nothing of the claim was kept.
      if (!(error instanceof AppError)) throw error
      await this.block(live, ready.step, error.message, runIn(error))
      return { ok: false }
    }
  }

  /**
   * Commits the outcome of an attempt whose sign-in was refused, and in the same commit another attempt
   * with the same request. Send it only after this has returned, and once.
   */
  repeat(live: LiveRun, attempt: OpenAttempt, exchanged: Exchanged): Promise<OpenAttempt> {
    const { clock, leases } = this.#options
    const { request } = attempt
    const { owner } = leases
    return this.#change(live, (stores) => {
      const at = clock.now()
      const opening = { live, request, at, now: at.toISOString(), owner }
      return repeatAttempt(stores, attempt, exchanged, opening)
    })
  }

  /**
   * Commits the outcome of the attempt and the new states of its step and run. Where the step has
   * succeeded and the next one is ready, the same commit claims that one.
   */
  async finish(
    live: LiveRun,
    attempt: OpenAttempt,
    exchanged: Exchanged,
    next: () => ReadyStep | undefined = () => undefined,
  ): Promise<Finished> {
    const at = this.#options.clock.now()
    const seen = seeAnswer(attempt, exchanged, at)
    const { classified } = seen
    const finishIn = (stores: Stores) => finishStep(stores, live, attempt, seen, at.toISOString())
    try {
      const opened = await this.#change(live, async (stores) => {
        const finishing = finishIn(stores)
        // It may take from the answer that has just come.
        const ready = classified.state === 'succeeded' ? next() : undefined
        const [, claimed] = await allOf([finishing, ready && this.#claimIn(stores, live, ready)])
        return claimed
      })
      return { classified, opened }
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      // A problem of the next step must not undo the outcome of this one.
      await this.#change(live, finishIn)
      return { classified, opened: undefined }
    }
  }

  /**
   * What `finish` has committed, where the confirmation of the commit was lost: the outcome, and
   * the next attempt, which has not been sent. Undefined where nothing was committed or the run has
   * changed since.
   */
  findFinished(
    live: LiveRun,
    attempt: OpenAttempt,
    seen: SeenAnswer,
    next: () => ReadyStep | undefined,
  ): Promise<Finished | undefined> {
    return this.#options.inTransaction(({ runs }) => findFinished(runs, live, attempt, seen, next))
  }

  /**
   * Blocks a step that can't be sent; `message` says why. A step that is unknown stays unknown: an
   * earlier attempt may have been accepted. `blockedBy` is the run that holds the document.
   */
  block(
    live: LiveRun,
    step: LiveStep,
    message: string,
    blockedBy: number | null = null,
  ): Promise<void> {
    return this.#change(live, async (stores) => {
      const state = step.state === 'unknown' ? 'unknown' : 'blocked'
      await this.#move(stores, step, { state, message, blocked_by: blockedBy })
      await this.#end(stores, live)
    })
  }

  /** Leaves a step out whose condition does not hold. Ends the run where nothing is left to do. */
  skip(live: LiveRun, step: LiveStep, message: string): Promise<void> {
    return this.#change(live, async (stores) => {
      await this.#move(stores, step, { state: 'skipped', message })
      if (live.steps.every(({ state }) => isDone(state))) await this.#end(stores, live)
    })
  }

  /** Stores a dry run's step as it would have been sent. */
  wouldSend(
    live: LiveRun,
    step: LiveStep,
    frozen: FrozenRequest | undefined,
    message: string | null,
  ) {
    return this.#change(live, async (stores) => {
      await this.#move(stores, step, {
        state: 'would_send',
        message,
        is_dry: 1,
        ...(frozen
          ? {
              method: frozen.method,
              url: frozen.url,
              headers: JSON.stringify(frozen.headers),
              body: frozen.body,
              frozen_at: this.#now(),
            }
          : {}),
      })
      await stores.runs.updateRun(live.id, { is_dry_run: 1 })
      if (live.steps.every((each) => each.state !== 'waiting')) await this.#end(stores, live)
    })
  }

  /**
   * Ends the run between two steps. It can be resumed. A run of a lane goes back to it: at once, or after a
   * pause where something of ours has failed.
   */
  stop(live: LiveRun, failure: OwnFailure | null = null): Promise<void> {
    return this.#change(live, (stores) => this.#end(stores, live, failure))
  }

  /** Stores the steps of a run that was taken from its lane, and opens the first where it may be sent now. */
  async open(live: LiveRun, steps: readonly PlannedStep[]): Promise<void> {
    const open = (isClaiming: boolean) =>
      this.#change(live, async (stores) => {
        const planned = { steps, isClaiming }
        const names = steps.map(({ target }) => target.name).join(' ')
        stores.withCommit(stores.runs.appendSearchText(live.id, names))
        await beginQueued(stores, live, planned, this.#options.leases, this.#now())
      })
    try {
      await open(true)
    } catch (error) {
      // A document belongs to another run, or a right was lost: the step that finds it is blocked.
      if (!(error instanceof AppError)) throw error
      live.opened = undefined
      await open(false)
    }
  }

  /** Ends a run that was taken from its lane and can't be planned: its steps say why. */
  refuse(live: LiveRun, stepsIn: (stores: Stores) => Promise<NewRow<'run_step'>[]>): Promise<void> {
    return this.#change(live, async (stores) => {
      const steps = await stepsIn(stores)
      await stores.runs.insertSteps(steps)
      await endRun(stores, live, { reached: 'blocked', failure: null, now: this.#now() })
    })
  }

  /**
   * Closes the runs that this server left open when it died (`own`), or the runs of any server
   * whose lease has ended. A submit becomes unknown, any other step not started. Returns the number
   * of runs.
   */
  recover({ own }: { own: boolean }): Promise<number> {
    return recoverRuns(this.#options, own)
  }

  #claimIn(stores: Stores, live: LiveRun, ready: ReadyStep): Promise<OpenAttempt> {
    const { owner } = this.#options.leases
    return claimStep(stores, { ...ready, live, now: this.#now(), owner })
  }

  async #move(stores: Stores, step: LiveStep, change: Parameters<Stores['runs']['moveStep']>[2]) {
    if (!(await stores.runs.moveStep(step.id, step.state, change)))
      throw new Error(`Step ${step.id} is not ${step.state}.`)
    if (change.state) step.state = change.state
  }

  #end(stores: Stores, live: LiveRun, failure: OwnFailure | null = null): Promise<void> {
    return endRun(stores, live, { reached: runStateOf(live.steps), failure, now: this.#now() })
  }

  /** Runs one fenced transaction, then notifies the followers. */
  async #change<T>(live: LiveRun, work: (stores: Stores) => Promise<T>): Promise<T> {
    const { inTransaction, feed, leases } = this.#options
    let until = ''
    const states = live.steps.map(({ state }) => state)
    // A rollback also restores the states in memory.
    const undo = () =>
      live.steps.forEach((step, index) => (step.state = states[index] ?? step.state))
    try {
      const fenced = async (stores: Stores) => {
        // The work is repeated where the database preferred another transaction.
        undo()
        until = leases.until()
        // The fence comes first in the list: without the lease, no other error counts.
        const [, done] = await allOf([this.#hold(stores, live, until), work(stores)])
        return done
      }
      const result = await inTransaction(fenced, undefined, { sharesCommit: true })
      leases.extend(live, until)
      feed.changed(live.id)
      return result
    } catch (error) {
      undo()
      throw error
    }
  }

  /** Locks the run until the commit, and renews its lease. */
  async #hold({ runs }: Stores, { id, epoch }: LiveRun, until: string): Promise<void> {
    const change = { lease_until: until }
    if (!(await runs.moveRun({ id, epoch, state: 'running' }, change))) throw new LeaseLost(id)
  }

  #now(): string {
    return this.#options.clock.now().toISOString()
  }
}

/** The run that a refusal names. */
function runIn({ details }: AppError): number | null {
  const id = details.extra?.['run_id']
  return typeof id === 'number' ? id : null
}
