import type { Exchanged } from '@gatehouse/upstream'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { beginRun, type NewRun } from './begin-run.ts'
import { claimStep } from './claim-step.ts'
import type { Classified } from '../steps/classify-answer.ts'
import { releaseDocuments } from './document-ledger.ts'
import { finishStep, type SeenAnswer } from './finish-step.ts'
import type { FrozenRequest } from '../steps/freeze-request.ts'
import type { Leases } from './leases.ts'
import type { ReadDocument } from '../steps/read-document.ts'
import { LeaseLost, type LiveRun, type LiveStep, type OpenAttempt } from './live-run.ts'
import { recoverRun } from './recover-run.ts'
import { repeatAttempt } from './repeat-attempt.ts'
import type { RunFeed } from './run-feed.ts'
import { runStateOf } from './run-state.ts'

interface LedgerOptions {
  inTransaction: InTransaction
  clock: Clock
  leases: Leases
  feed: RunFeed
}

/** A step whose request is final, with the document that it carries. */
export interface ReadyStep {
  step: LiveStep
  request: FrozenRequest
  carried: ReadDocument
}

export interface Finished {
  classified: Classified
  /** The next step's attempt, to be sent now. */
  opened: OpenAttempt | undefined
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
  begin(stores: Stores, run: NewRun): Promise<LiveRun> {
    return beginRun(stores, run, this.#options.leases, this.#now())
  }

  /** Call it when the run is committed: this server renews its lease from now on. */
  begun(live: LiveRun): void {
    this.#options.leases.hold(live)
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
      const opening = {
        live,
        request,
        at,
        now: at.toISOString(),
        owner,
        leaseUntil: leases.until(),
      }
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
    const finishIn = (stores: Stores) =>
      finishStep(stores, live, attempt, exchanged, this.#options.clock.now())
    try {
      return await this.#change(live, async (stores) => {
        const classified = await finishIn(stores)
        const ready = classified.state === 'succeeded' ? next() : undefined
        return { classified, opened: ready && (await this.#claimIn(stores, live, ready)) }
      })
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      // A problem of the next step must not undo the outcome of this one.
      return { classified: await this.#change(live, finishIn), opened: undefined }
    }
  }

  /**
   * What `finish` has committed, where the confirmation of the commit was lost: the outcome, and
   * the next attempt, which has not been sent. Undefined where nothing was committed or the run has
   * changed since.
   */
  async findFinished(
    live: LiveRun,
    attempt: OpenAttempt,
    { classified, received }: SeenAnswer,
    next: () => ReadyStep | undefined,
  ): Promise<Finished | undefined> {
    const { run, written, open } = await this.#options.inTransaction(async ({ runs }) => ({
      run: await runs.find(live.id),
      written: await runs.findAttempt(attempt.id),
      open: await runs.listOpenAttempts(live.id),
    }))
    if (run?.epoch !== live.epoch || written?.outcome !== classified.outcome) return undefined
    const { step } = attempt
    step.state = classified.state
    step.answerText = classified.state === 'succeeded' ? received : undefined
    const ready = open.length > 0 ? next() : undefined
    const claimed = ready && open.find(({ step_id }) => step_id === ready.step.id)
    if (!claimed) return { classified, opened: undefined }
    ready.step.state = 'sending'
    const { id } = claimed
    const kind = ready.step.isResend ? 'resend' : 'send'
    const leaseUntil = run.lease_until ?? ''
    return {
      classified,
      opened: { id, kind, leaseUntil, step: ready.step, request: ready.request },
    }
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

  /** Ends the run between two steps. It can be resumed. */
  stop(live: LiveRun): Promise<void> {
    return this.#change(live, (stores) => this.#end(stores, live))
  }

  /**
   * Closes the runs that this server left open when it died (`own`), or the runs of any server
   * whose lease has ended. A submit becomes unknown, any other step not started. Returns the number
   * of runs.
   */
  async recover({ own }: { own: boolean }): Promise<number> {
    const { inTransaction, leases, feed } = this.#options
    const found = await inTransaction(({ runs }) =>
      own ? runs.listOwned(leases.owner) : runs.listAbandoned(this.#now()),
    )
    let recovered = 0
    for (const run of found) {
      // A run that this server carries out stays its own, even after a jump of the clock.
      if (leases.holds(run.id)) continue
      const isDone = await inTransaction((stores) => recoverRun(stores, run, this.#now()))
      if (isDone) recovered++
      feed.changed(run.id)
    }
    return recovered
  }

  #claimIn(stores: Stores, live: LiveRun, ready: ReadyStep): Promise<OpenAttempt> {
    const { owner } = this.#options.leases
    const leaseUntil = this.#options.leases.until()
    return claimStep(stores, { ...ready, live, now: this.#now(), owner, leaseUntil })
  }

  async #move(stores: Stores, step: LiveStep, change: Parameters<Stores['runs']['moveStep']>[2]) {
    if (!(await stores.runs.moveStep(step.id, step.state, change)))
      throw new Error(`Step ${step.id} is not ${step.state}.`)
    if (change.state) step.state = change.state
  }

  async #end(stores: Stores, live: LiveRun): Promise<void> {
    const now = this.#now()
    await releaseDocuments(stores.documents, live.id, now)
    await stores.runs.updateRun(live.id, {
      state: runStateOf(live.steps),
      finished_at: now,
      lease_owner: null,
      lease_until: null,
    })
  }

  /** Runs one fenced transaction, then notifies the followers. */
  async #change<T>(live: LiveRun, work: (stores: Stores) => Promise<T>): Promise<T> {
    const { inTransaction, leases, feed } = this.#options
    const states = live.steps.map(({ state }) => state)
    // A rollback also restores the states in memory.
    const undo = () =>
      live.steps.forEach((step, index) => (step.state = states[index] ?? step.state))
    try {
      const result = await inTransaction(async (stores) => {
        // The work is repeated where the database preferred another transaction.
        undo()
        const isHeld = await stores.runs.moveRun(
          { id: live.id, epoch: live.epoch, state: 'running' },
          { lease_until: leases.until() },
        )
        if (!isHeld) throw new LeaseLost(live.id)
        return work(stores)
      })
      feed.changed(live.id)
      return result
    } catch (error) {
      undo()
      throw error
    }
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
