import type { HttpAnswer } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import { isDatabaseAway } from '../../../db/outages/database-away.ts'
import { withStepKey } from '../ledger/begin-run.ts'
import { isLarge, resolveInThread } from '../steps/bodies/body-threads.ts'
import type { Classified } from '../steps/answers/classify-answer.ts'
import { requestTargetOf } from '../steps/freeze-request.ts'
import { AttemptSender, type PermittedAttempt } from './attempt-sender.ts'
import { heldError } from './held-error.ts'
import type { ReadyStep } from '../ledger/reading/find-finished.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import { isOverdue, LeaseLost, type LiveRun, type LiveStep } from '../ledger/reading/live-run.ts'
import { decidingStep, isDone } from '../ledger/run-state.ts'
import type { OutcomeKeeper } from './outcome-keeper.ts'
import { resolveStep, type ResolvedStep, type TakingStep } from '../steps/resolve-step.ts'
import type { SubmitJournal } from '../journal/submit-journal.ts'
import type { StepSender } from '../steps/step-sender.ts'
import type { RunSpans } from '../spans/run-spans.ts'

interface RunEngineOptions {
  ledger: Ledger
  leases: Leases
  outcomes: OutcomeKeeper
  sender: StepSender
  journal: SubmitJournal
  /** Absent where spans are off. */
  spans?: RunSpans | undefined
  clock: Clock
  log: Logger
}

/** The last step that was called and its outcome, without the credential. */
export interface LastExchange {
  answer: HttpAnswer
  classified: Classified
}

/**
 * Carries out a run, one step after the other. Each step is frozen and committed before it is sent,
 * and it is sent once. The run ends with the first step that does not succeed. The result is in the
 * ledger, also when the caller has left.
 */
export class RunEngine {
  readonly #options: RunEngineOptions
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #stopping = new AbortController()
  readonly #attempts: AttemptSender

  constructor(options: RunEngineOptions) {
    this.#options = options
    this.#attempts = new AttemptSender({ ...options, stopping: this.#stopping.signal })
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /**
   * Resolves when the run has ended on this server. `signal` aborts a read whose caller has left.
   */
  carryOut(live: LiveRun, signal?: AbortSignal): Promise<LastExchange | undefined> {
    const { ledger, leases } = this.#options
    ledger.begun(live)
    const work = this.#steps(live, signal).finally(() => {
      leases.letGo(live)
      this.#underWay.delete(work)
    })
    this.#underWay.add(work)
    return work
  }

  /** Starts no further step. Resolves when the steps under way have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#options.outcomes.stop()
    await Promise.allSettled(this.#underWay)
  }

  async #steps(live: LiveRun, signal?: AbortSignal): Promise<LastExchange | undefined> {
    let last: LastExchange | undefined
    let { opened } = live
    let isOurs = true
    try {
      // Every step was skipped at the start: nothing else ends the run.
      if (live.steps.every(({ state }) => isDone(state))) await this.#options.ledger.stop(live)
      for (const step of live.steps) {
        if (isDone(step.state)) continue
        if (opened?.step !== step && this.isStopping) {
          await this.#options.ledger.stop(live)
          return last
        }
        const claimed =
          opened?.step === step
            ? { attempt: opened, permit: undefined }
            : await this.#claim(live, step)
        if (claimed === 'would_send' || claimed === 'skipped') continue
        if (claimed === 'blocked') return last
        if (claimed === 'stopped') {
          await this.#options.ledger.stop(live)
          return last
        }
        const { exchange: seen, next } = await this.#send(live, claimed, signal)
        last = seen
        opened = next
        if (seen.classified.state !== 'succeeded') return last
      }
    } catch (error) {
      isOurs = false
      if (!(error instanceof LeaseLost))
        throw isDatabaseAway(error) ? heldError(live, error) : error
      // Another server has recorded this attempt as a crash. The late answer is stored as evidence.
      this.#options.log.warn({ run_id: live.id }, 'a run was taken over while it was under way')
    } finally {
      // Where it is not, the server that closes the run makes its spans.
      if (isOurs) this.#options.spans?.ended(live)
    }
    return last
  }

  async #claim(
    live: LiveRun,
    step: LiveStep,
  ): Promise<PermittedAttempt | 'would_send' | 'skipped' | 'blocked' | 'stopped'> {
    const { ledger } = this.#options
    const resolved = await resolve(live, step)
    const unsent = live.steps.find((each) => each.state === 'would_send')
    // In a dry run values are missing where the step that they come from was not sent.
    const isOpen =
      !resolved.ok &&
      unsent !== undefined &&
      step.plan.source.takes.length > 0 &&
      !(resolved.isSkipped && isConditionKnown(live, step))
    if (isOpen || (resolved.ok && step.plan.isDry)) {
      const frozen = resolved.ok ? resolved.request : undefined
      await ledger.wouldSend(live, step, frozen, isOpen ? awaits(step, unsent) : null)
      return 'would_send'
    }
    if (!resolved.ok && resolved.isSkipped) {
      await ledger.skip(live, step, resolved.message)
      return 'skipped'
    }
    if (!resolved.ok) {
      await ledger.block(live, step, resolved.message)
      return 'blocked'
    }
    // Before the attempt is committed: from then on it may have been sent.
    const permit = await live.permits?.take(this.#stopping.signal).catch(() => 'stopped' as const)
    if (permit === 'stopped') return permit
    // It may have waited for an hour. The lane ends it.
    if (permit && isOverdue(live, this.#options.clock.now())) {
      permit.giveBack()
      return 'stopped'
    }
    try {
      const claimed = await ledger.claim(live, { step, ...resolved })
      if (claimed.ok) return { attempt: claimed.attempt, permit }
    } catch (error) {
      permit?.giveBack()
      throw error
    }
    permit?.giveBack()
    return 'blocked'
  }

  /** The step that may be claimed in the commit that finishes the one before it. */
  #next(live: LiveRun): ReadyStep | undefined {
    const step = decidingStep(live.steps)
    // A step of a lane with limits waits for its permit, which no commit waits for.
    if (!step || step.plan.isDry || this.isStopping || live.permits) return undefined
    const resolved = resolveSmall(live, step)
    return resolved?.ok ? { step, ...resolved } : undefined
  }

  async #send(live: LiveRun, opened: PermittedAttempt, signal?: AbortSignal) {
    const { outcomes, log } = this.#options
    const { plan } = opened.attempt.step
    const { attempt, exchanged } = await this.#attempts.send(
      live,
      opened,
      // A caller that leaves aborts a read. A step that changes something waits for its answer.
      plan.effect === 'read' ? signal : undefined,
    )
    const finished = await outcomes
      .commit(live, attempt, exchanged, () => this.#next(live))
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) {
          log.warn(
            { run_id: live.id, step: plan.position, status: exchanged.answer.status },
            `${plan.target.name}: an answer came too late to count by itself; it is kept as evidence`,
          )
        }
        throw error
      })
    const { classified } = finished
    const { answer, shown } = exchanged
    // The URL is not logged: its query may hold business data.
    log[['succeeded', 'pending'].includes(classified.state) ? 'info' : 'warn'](
      {
        request_id: live.requestId,
        run_id: live.id,
        step: plan.position,
        kind: attempt.kind,
        endpoint_id: plan.target.endpointId,
        method: attempt.request.method,
        outcome: classified.outcome,
        status: answer.status,
        duration_ms: Math.round(answer.durationMs),
      },
      `${plan.target.name}: ${classified.state}`,
    )
    const seen: LastExchange = { answer: shown, classified }
    return { exchange: seen, next: finished.opened }
  }
}

/** The request of a step that takes nothing is known since it was planned. */
function planned({ plan, frozen, uuid }: LiveStep): ResolvedStep | undefined {
  const request = frozen ?? (plan.request && withStepKey(plan.request, plan, uuid))
  if (plan.source.takes.length > 0 || !request) return undefined
  return { ok: true, request, carried: { ok: true, documents: plan.documents } }
}

/** Undefined where it would take too long for the transaction that asks. */
function resolveSmall(live: LiveRun, step: LiveStep): ResolvedStep | undefined {
  const known = planned(step)
  if (known) return known
  const taking = takingOf(live, step)
  return isLarge(taking) ? undefined : withKey(resolveStep(taking), step)
}

const resolve = async (live: LiveRun, step: LiveStep): Promise<ResolvedStep> =>
  resolveSmall(live, step) ?? withKey(await resolveInThread(takingOf(live, step)), step)

function withKey(resolved: ResolvedStep, { plan, frozen, uuid }: LiveStep): ResolvedStep {
  if (!resolved.ok || frozen) return resolved
  return { ...resolved, request: withStepKey(resolved.request, plan, uuid) }
}

function takingOf(live: LiveRun, { plan, frozen }: LiveStep): TakingStep {
  const { source, effect, target, input } = plan
  const { settings } = target
  const answers = live.steps.flatMap(({ plan: { position }, answerText }) =>
    answerText === undefined ? [] : [[position, answerText] as const],
  )
  const statuses = live.steps.flatMap(({ plan: { position }, answerStatus }) =>
    answerStatus === undefined ? [] : [[position, answerStatus] as const],
  )
  return {
    source,
    effect,
    target: { ...requestTargetOf(target), settings },
    frozen,
    answers: new Map([...(input === undefined ? [] : [[0, input] as const]), ...answers]),
    statuses: new Map(statuses),
  }
}

/** Whether the step that the condition looks at was decided: sent, or skipped itself. */
const isConditionKnown = ({ steps }: LiveRun, { plan: { source } }: LiveStep) =>
  steps.some(
    ({ plan, state }) => plan.position === source.condition?.step && state !== 'would_send',
  )

const awaits = (step: LiveStep, unsent: LiveStep | undefined) =>
  `Takes ${step.plan.source.takes.join(', ')} from earlier answers, and step ${unsent?.plan.position ?? 1} was not sent.`
