import type { Logger } from 'pino'
import { defaultPendingTimes } from '@gatehouse/contract/run-profiles'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { Leases, type Held } from '../../../kernel/leases/leases.ts'
import type { InTransaction } from '../../../stores.ts'
import { askStep } from '../actions/status-query/ask-step.ts'
import type { PermitsOf } from '../actions/permit-soon.ts'
import type { Answered } from '../actions/status-query/weighed-answer.ts'
import type { RunFeed } from '../ledger/reading/run-feed.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { notBefore } from '../steps/answers/explain-outcome.ts'
import type { CalledUrl } from '../spans/asked-span.ts'
import type { RunSpans } from '../spans/run-spans.ts'
import type { StepSender } from '../steps/step-sender.ts'
import type { SendRight, Target, Targets } from '../steps/target.ts'
import { asker } from './asker.ts'
import type { PollRow, PollStore } from './poll-store.ts'
import { nextPollAt } from './poll-times.ts'
import type { RunContinuer } from './run-continuer.ts'
import { settlePending, type Settled } from './settle-pending.ts'
import { settleWatch } from './settle-watch.ts'

/** Renewed while an authority is waited for. */
const leaseMs = 60_000
/** Questions of this server at once. */
const underWayMax = 8

interface PollKeeperOptions {
  polls: PollStore
  targets: Targets
  inTransaction: InTransaction
  sender: StepSender
  spans?: RunSpans | undefined
  /** Of runs. */
  leases: Leases
  feed: RunFeed
  clock: Clock
  log: Logger
  continuer: RunContinuer
  permitsOf: PermitsOf
}

/** Who asks, and with which token. */
interface Question {
  poll: Pick<PollRow, 'id' | 'ask_by'>
  caller: Caller | undefined
  /** What a person has to have access to, where that is not the endpoint. */
  right?: SendRight | undefined
  token: string
  /** What a person typed, by the name of the value. */
  typed?: Readonly<Record<string, string>>
}

interface Asked {
  answered: Answered | undefined
  target: Target | undefined
  problem: string | null
}

/**
 * Asks authorities for the decisions that they left open, one question at a time for each submission.
 * What is asked, and when, is in the database: any server asks, and another one takes over where it
 * dies (spec: pending).
 */
export class PollKeeper {
  readonly #options: PollKeeperOptions
  /** Of polls. */
  readonly #leases: Leases
  readonly #underWay = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(options: PollKeeperOptions) {
    this.#options = options
    this.#leases = new Leases(options.leases.owner, options.clock, leaseMs)
  }

  /** Takes what is due and begins to ask; `idle` resolves when that is done. */
  async round(): Promise<void> {
    const { polls, clock, continuer } = this.#options
    if (this.#stopping.signal.aborted) return
    await this.#leases.renewInTime(polls)
    const free = underWayMax - this.#underWay.size
    if (free > 0 && (await polls.hasDue(clock.now().toISOString())))
      for (const poll of await polls.claimDue(await this.#leases.wish(), free)) this.#begin(poll)
    for (const { run_id, step_id } of await polls.listGoingOn(underWayMax))
      void continuer.goOn(run_id, step_id)
  }

  /** Resolves when the questions and runs under way have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay)
    await this.#options.continuer.idle()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.idle()
  }

  /** Asks about a step because a person wants to know. */
  async askNow(step: StepRow, by: Omit<Question, 'poll'>) {
    const { inTransaction } = this.#options
    const poll = await inTransaction(async ({ polls }) => {
      const pending = await polls.findStep(step.id)
      return pending?.poll_id ? polls.find(pending.poll_id) : undefined
    })
    if (!poll) return undefined
    const question = { poll, ...by }
    const asked = await this.#ask(step, question)
    if (!asked.answered) throw asked.refusal
    const settled = await this.#settle(question, asked)
    await inTransaction(({ polls }) => polls.removeIfDone(poll.id))
    return { answered: asked.answered, settled: settled.get(step.id) }
  }

  /** False once the question may be another server's: its answer is dropped here. */
  async #isOurs(held: Held): Promise<boolean> {
    return (await this.#leases.canJudge()) && this.#leases.maySend(held)
  }

  #begin(poll: PollRow): void {
    const held = this.#leases.take(poll)
    const work = this.#poll(poll, held)
      .catch((error: unknown) => {
        // Another server asks when the lease has ended.
        if (this.#stopping.signal.aborted) return
        this.#options.log.error({ err: error, poll: poll.id }, 'a decision can’t be asked for')
      })
      .finally(() => {
        this.#leases.letGo(held)
        this.#underWay.delete(work)
      })
    this.#underWay.add(work)
  }

  async #poll(poll: PollRow, held: Held): Promise<void> {
    const { inTransaction, clock, leases } = this.#options
    const step = await inTransaction(async ({ polls, runs }) => {
      const [first = (await polls.listWatchesOf(poll.id))[0]] = await polls.listStepsOf(poll.id)
      const steps = first ? await runs.listSteps(first.run_id) : []
      return steps.find(({ id }) => id === first?.step_id)
    })
    if (!step) {
      await inTransaction(({ polls }) => polls.removeIfDone(poll.id))
      return
    }
    const question = { poll, caller: undefined, token: '' }
    if (!(await this.#isOurs(held))) return
    const asked = await this.#ask(step, question)
    // Two servers that asked at once would count as two answers.
    if (!(await this.#isOurs(held))) return
    await this.#settle(question, asked)
    const { answered, target, problem } = asked
    const now = clock.now()
    const times = target?.settings.pending ?? defaultPendingTimes
    const waitPath = target?.settings.wait_path ?? ''
    const next = nextPollAt(times, poll.tries + 1, now)
    const wait = answered ? notBefore(answered.asked.answer, now, waitPath) : null
    await inTransaction(async ({ polls }) => {
      await polls.finish(poll.id, leases.owner, {
        tries: poll.tries + 1,
        next_at: wait !== null && wait > next ? wait : next,
        asked_at: now.toISOString(),
        problem,
      })
      await polls.removeIfDone(poll.id)
    })
  }

  /** The answer; where it can't be asked, the refusal. */
  async #ask(step: StepRow, question: Question): Promise<Asked & { refusal?: AppError }> {
    const { targets, inTransaction, sender, spans, clock, permitsOf } = this.#options
    const { poll, token, right, typed } = question
    const caller = question.caller ?? asker
    const own = await targets.find(step.endpoint_id, caller, right)
    const target = own.ok ? own.target : undefined
    const { run, attempts, documents } = await inTransaction(async ({ runs, documents }) => ({
      run: await runs.find(step.run_id),
      attempts: await runs.listAttemptsOf(step.id),
      documents: await documents.listUndecided(step.run_id, step.position),
    }))
    try {
      if (!own.ok) throw fieldError({ step: [own.message] })
      const isTest = run?.is_test === 1
      const askBy = poll.ask_by ?? undefined
      const begin = run && spans && ((called: CalledUrl) => spans.ask(run, called))
      const asking = { targets, caller, right, sender, token, isTest }
      const how = { ...asking, askBy, attempts, documents, typed, begin }
      const workflowId = run?.workflow_id ?? null
      const answered = await askStep(step, { own: own.target, clock, permitsOf, workflowId, how })
      const { shown } = answered.asked
      return { answered, target, problem: shown.ok ? null : shown.detail }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { answered: undefined, target, problem: error.message, refusal: error }
    }
  }

  /** Each step in a transaction of its own; what was accepted goes on. */
  async #settle({ poll, caller }: Question, { answered, target }: Asked) {
    const { inTransaction, leases, feed, clock, continuer } = this.#options
    const { steps, watches } = await inTransaction(async ({ polls }) => ({
      steps: await polls.listStepsOf(poll.id),
      watches: await polls.listWatchesOf(poll.id),
    }))
    const settlingNow = () => ({
      answered,
      target,
      askBy: poll.ask_by,
      caller,
      at: clock.now(),
      owner: leases.owner,
      leaseUntil: leases.until(),
    })
    for (const watch of watches) {
      await inTransaction((stores) => settleWatch(stores, watch, settlingNow()))
      feed.changed(watch.run_id)
    }
    const settled = new Map<number, Settled>()
    for (const pending of steps) {
      const result = await inTransaction((stores) => settlePending(stores, pending, settlingNow()))
      settled.set(pending.step_id, result)
      feed.changed(pending.run_id)
      if (result.what === 'asked' && result.goesOn)
        void continuer.goOn(pending.run_id, pending.step_id)
    }
    return settled
  }
}
