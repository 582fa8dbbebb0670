import type { HttpAnswer } from '@gatehouse/upstream'
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
import { LeaseLost, type LiveRun, type LiveStep, type OpenAttempt } from './live-run.ts'
import { recoverRun } from './recover-run.ts'
import type { RunFeed } from './run-feed.ts'
import { runStateOf } from './run-state.ts'

export interface LedgerOptions {
  inTransaction: InTransaction
  clock: Clock
  leases: Leases
  feed: RunFeed
}

/** A step whose request is final; `text` is its whole body, before fields of it went into the path. */
export interface ReadyStep {
  step: LiveStep
  request: FrozenRequest
  text: string
}

export interface Finished {
  classified: Classified
  /** The next step's attempt, to be sent now. */
  opened: OpenAttempt | undefined
}

export type Claimed =
  | { ok: true; attempt: OpenAttempt }
  /** It must not be sent, or not the document that it carries: the step was blocked. */
  | { ok: false }

/**
 * The journal of everything that is sent. What will be sent is committed before the socket opens and
 * what was seen after; a process that dies in between leaves an open attempt, which the next start or
 * another server finds. Attempts are never deleted or overwritten. Every transition is fenced: a
 * server that has lost its hold on the run gets `LeaseLost` and changes nothing.
 */
export class Ledger {
  readonly #options: LedgerOptions

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /** Inside the transaction that decided to make the run. Follow it with `begun` once committed. */
  begin(stores: Stores, run: NewRun): Promise<LiveRun> {
    return beginRun(stores, run, this.#options.leases, this.#now())
  }

  /** The run that `begin` made is committed: this server keeps it from now on. */
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
   * Commits what was seen of the attempt, and what that makes of its step and run. Where the step has
   * succeeded and `next` is ready, that one is claimed in the same commit.
   */
  async finish(
    live: LiveRun,
    attempt: OpenAttempt,
    answer: HttpAnswer,
    next: () => ReadyStep | undefined = () => undefined,
  ): Promise<Finished> {
    const finishIn = (stores: Stores) =>
      finishStep(stores, live, attempt, answer, this.#options.clock.now())
    try {
      return await this.#change(live, async (stores) => {
        const classified = await finishIn(stores)
        const ready = classified.state === 'succeeded' ? next() : undefined
        return { classified, opened: ready && (await this.#claimIn(stores, live, ready)) }
      })
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      // Whatever is wrong with the next step takes nothing from this one.
      return { classified: await this.#change(live, finishIn), opened: undefined }
    }
  }

  /**
   * What `finish` has committed, where the confirmation of its commit was lost: the outcome, and the
   * next attempt, which nobody has sent. Undefined where it has not, or the run went on since.
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
   * Nothing is sent: the step can't be, and `message` says why. What is unknown of an earlier attempt
   * stays unknown: it may have been accepted. `blockedBy` is the run that stands in the way.
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

  /** A dry run's step: kept as it would have been sent. */
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

  /** Leaves the run where it is, between two steps; it can be resumed. */
  stop(live: LiveRun): Promise<void> {
    return this.#change(live, (stores) => this.#end(stores, live))
  }

  /**
   * Closes what this server left open when it died, before it serves again, and what others did whose
   * hold has run out: a submit becomes unknown, anything else not started. Returns how many runs.
   */
  async recover({ own }: { own: boolean }): Promise<number> {
    const { inTransaction, leases, feed } = this.#options
    const found = await inTransaction(({ runs }) =>
      own ? runs.listOwned(leases.owner) : runs.listAbandoned(this.#now()),
    )
    let recovered = 0
    for (const run of found) {
      // A server knows of its own work; a clock that jumps must not take it away.
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

  /** One fenced transaction; afterwards followers are told. */
  async #change<T>(live: LiveRun, work: (stores: Stores) => Promise<T>): Promise<T> {
    const { inTransaction, leases, feed } = this.#options
    const states = live.steps.map(({ state }) => state)
    // What was rolled back did not happen in memory either.
    const undo = () =>
      live.steps.forEach((step, index) => (step.state = states[index] ?? step.state))
    try {
      const result = await inTransaction(async (stores) => {
        // The work may be done again, where the database gave way to another transaction.
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
