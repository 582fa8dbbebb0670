import type { Carried, Exchanged } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Leases } from '../ledger/leases.ts'
import {
  isOverdue,
  LeaseLost,
  type LiveRun,
  type OpenAttempt,
  type Permit,
} from '../ledger/live-run.ts'
import type { StepSender } from '../steps/step-sender.ts'
import { headerOfAttempt, type RunSpans } from '../spans/run-spans.ts'

interface AttemptSenderOptions {
  ledger: Ledger
  leases: Leases
  sender: StepSender
  /** Absent where spans are off. */
  spans?: RunSpans | undefined
  clock: Clock
  log: Logger
  /** Aborted when the server stops. */
  stopping: AbortSignal
}

/** An attempt that may be sent, with the permit that its call uses where its lane has limits. */
export interface PermittedAttempt {
  attempt: OpenAttempt
  permit: Permit | undefined
}

/** The attempt that counts, and its answer. */
export interface Sent {
  attempt: OpenAttempt
  exchanged: Exchanged
}

/** Sends attempts that the ledger has committed. */
export class AttemptSender {
  readonly #options: AttemptSenderOptions

  constructor(options: AttemptSenderOptions) {
    this.#options = options
  }

  /** Sends the attempt; where its token was refused, once more with a new one. */
  async send(live: LiveRun, opened: PermittedAttempt, signal?: AbortSignal): Promise<Sent> {
    const { sender, leases, stopping } = this.#options
    const { attempt, permit } = opened
    const { plan } = attempt.step
    live.attempts = [...(live.attempts ?? []), attempt.id]
    try {
      // A process that slept until its lease ended must not send: another server may have sent
      // already.
      if (!(await leases.canJudge()) || leases.isPast(attempt.leaseUntil))
        throw new LeaseLost(live.id)
      const signingIn = await sender.signIn(plan)
      if (!signingIn.ok) return { attempt, exchanged: signingIn.exchanged }
      const { carried } = signingIn
      if (!(await leases.canJudge()) || leases.isOver(live)) throw new LeaseLost(live.id)
      const sending = this.#sendOnce(live, attempt, carried, signal)
      const exchanged = await sending.finally(() => permit?.end())
      const renewed = stopping.aborted
        ? undefined
        : await sender.renew(plan, carried, exchanged.answer)
      const again = renewed && (await this.#openAgain(live, attempt, exchanged))
      if (!renewed || !again) return { attempt, exchanged }
      live.attempts.push(again.attempt.id)
      const repeating = this.#sendOnce(live, again.attempt, renewed, signal)
      return {
        attempt: again.attempt,
        exchanged: await repeating.finally(() => again.permit?.end()),
      }
    } finally {
      // Unless a call has used it.
      permit?.giveBack()
    }
  }

  #sendOnce(live: LiveRun, attempt: OpenAttempt, carried: Carried, signal?: AbortSignal) {
    const { sender, spans } = this.#options
    const header = spans && headerOfAttempt(live.trace, attempt.id)
    return sender.send(attempt.step.plan, attempt.request, carried, signal, header)
  }

  /** Undefined where the refusal is the outcome: the ledger can't open another attempt now. */
  async #openAgain(
    live: LiveRun,
    attempt: OpenAttempt,
    exchanged: Exchanged,
  ): Promise<PermittedAttempt | undefined> {
    const { ledger, clock, log, stopping } = this.#options
    let permit: Permit | undefined
    try {
      permit = await live.permits?.take(stopping)
      if (permit && isOverdue(live, clock.now())) throw new Error('Its deadline has passed.')
      return { attempt: await ledger.repeat(live, attempt, exchanged), permit }
    } catch (error) {
      permit?.giveBack()
      const facts = { run_id: live.id, step: attempt.step.plan.position, err: error }
      log.warn(facts, 'a call whose token was refused is not repeated')
      return undefined
    }
  }
}
