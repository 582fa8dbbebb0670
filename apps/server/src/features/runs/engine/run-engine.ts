import type { Exchanged, HttpAnswer } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import { isDatabaseAway } from '../../../db/database-away.ts'
import { withStepKey } from '../ledger/begin-run.ts'
import { isLarge, resolveInThread } from '../steps/body-threads.ts'
import type { Classified } from '../steps/classify-answer.ts'
import { requestTargetOf } from '../steps/freeze-request.ts'
import { heldError } from './held-error.ts'
import type { Ledger, ReadyStep } from '../ledger/ledger.ts'
import type { Leases } from '../ledger/leases.ts'
import { LeaseLost, type LiveRun, type LiveStep, type OpenAttempt } from '../ledger/live-run.ts'
import type { OutcomeKeeper } from './outcome-keeper.ts'
import { resolveStep, type ResolvedStep, type TakingStep } from '../steps/resolve-step.ts'
import type { StepSender } from '../steps/step-sender.ts'

interface RunEngineOptions {
  ledger: Ledger
  leases: Leases
  outcomes: OutcomeKeeper
  sender: StepSender
  log: Logger
}

/** The attempt that counts, and its answer. */
interface Sent {
  attempt: OpenAttempt
  exchanged: Exchanged
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
  #isStopping = false

  constructor(options: RunEngineOptions) {
    this.#options = options
  }

  get isStopping(): boolean {
    return this.#isStopping
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
    this.#isStopping = true
    this.#options.outcomes.stop()
    await Promise.allSettled(this.#underWay)
  }

  async #steps(live: LiveRun, signal?: AbortSignal): Promise<LastExchange | undefined> {
    let last: LastExchange | undefined
    let { opened } = live
    try {
      for (const step of live.steps) {
        if (step.state === 'succeeded' || step.state === 'would_send') continue
        if (opened?.step !== step && this.#isStopping) {
          await this.#options.ledger.stop(live)
          return last
        }
        const attempt = opened?.step === step ? opened : await this.#claim(live, step)
        if (attempt === 'would_send') continue
        if (attempt === 'blocked') return last
        const { exchange: seen, next } = await this.#send(live, attempt, signal)
        last = seen
        opened = next
        if (seen.classified.state !== 'succeeded') return last
      }
    } catch (error) {
      if (!(error instanceof LeaseLost))
        throw isDatabaseAway(error) ? heldError(live, error) : error
      // Another server has recorded this attempt as a crash. The late answer is stored as evidence.
      this.#options.log.warn({ run_id: live.id }, 'a run was taken over while it was under way')
    }
    return last
  }

  async #claim(live: LiveRun, step: LiveStep): Promise<OpenAttempt | 'would_send' | 'blocked'> {
    const { ledger } = this.#options
    const resolved = await resolve(live, step)
    const unsent = live.steps.find((each) => each.state === 'would_send')
    // In a dry run values are missing where the step that they come from was not sent.
    const isOpen = !resolved.ok && unsent !== undefined && step.plan.source.takes.length > 0
    if (isOpen || (resolved.ok && step.plan.isDry)) {
      const frozen = resolved.ok ? resolved.request : undefined
      await ledger.wouldSend(live, step, frozen, isOpen ? awaits(step, unsent) : null)
      return 'would_send'
    }
    if (!resolved.ok) {
      await ledger.block(live, step, resolved.message)
      return 'blocked'
    }
    const claimed = await ledger.claim(live, { step, ...resolved })
    return claimed.ok ? claimed.attempt : 'blocked'
  }

  /** The step that may be claimed in the commit that finishes the one before it. */
  #next(live: LiveRun): ReadyStep | undefined {
    const step = live.steps.find(({ state }) => state !== 'succeeded' && state !== 'would_send')
    if (!step || step.plan.isDry || this.#isStopping) return undefined
    const resolved = resolveSmall(live, step)
    return resolved?.ok ? { step, ...resolved } : undefined
  }

  /** Sends the attempt; where its token was refused, once more with a new one. */
  async #exchange(live: LiveRun, attempt: OpenAttempt, signal?: AbortSignal): Promise<Sent> {
    const { sender, leases } = this.#options
    const { plan } = attempt.step
    // A process that slept until its lease ended must not send: another server may have sent
    // already.
    if (leases.isPast(attempt.leaseUntil)) throw new LeaseLost(live.id)
    const signingIn = await sender.signIn(plan)
    if (!signingIn.ok) return { attempt, exchanged: signingIn.exchanged }
    const { carried } = signingIn
    if (leases.isOver(live)) throw new LeaseLost(live.id)
    const exchanged = await sender.send(plan, attempt.request, carried, signal)
    const renewed = this.#isStopping
      ? undefined
      : await sender.renew(plan, carried, exchanged.answer)
    const again = renewed && (await this.#openAgain(live, attempt, exchanged))
    if (!renewed || !again) return { attempt, exchanged }
    return { attempt: again, exchanged: await sender.send(plan, again.request, renewed, signal) }
  }

  /** Undefined where the refusal is the outcome: the ledger can't open another attempt now. */
  async #openAgain(
    live: LiveRun,
    attempt: OpenAttempt,
    exchanged: Exchanged,
  ): Promise<OpenAttempt | undefined> {
    const { ledger, log } = this.#options
    try {
      return await ledger.repeat(live, attempt, exchanged)
    } catch (error) {
      const facts = { run_id: live.id, step: attempt.step.plan.position, err: error }
      log.warn(facts, 'a call whose token was refused is not repeated')
      return undefined
    }
  }

  async #send(live: LiveRun, opened: OpenAttempt, signal?: AbortSignal) {
    const { outcomes, log } = this.#options
    const { plan } = opened.step
    const { attempt, exchanged } = await this.#exchange(
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
    log[classified.state === 'succeeded' ? 'info' : 'warn'](
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
  return { ok: true, request, carried: { ok: true, document: plan.document } }
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
  const { source, effect, target } = plan
  const { settings } = target
  const answers = live.steps.flatMap(({ plan: { position }, answerText }) =>
    answerText === undefined ? [] : [[position, answerText] as const],
  )
  return {
    source,
    effect,
    target: { ...requestTargetOf(target), settings },
    frozen,
    answers: new Map(answers),
  }
}

const awaits = (step: LiveStep, unsent: LiveStep | undefined) =>
  `Takes ${step.plan.source.takes.join(', ')} from earlier answers, and step ${unsent?.plan.position ?? 1} was not sent.`
