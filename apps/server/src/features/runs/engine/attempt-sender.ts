import { createHash } from 'node:crypto'
import type { Carried, Exchanged, HttpFailed } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import {
  isOverdue,
  LeaseLost,
  type LiveRun,
  type OpenAttempt,
  type Permit,
} from '../ledger/reading/live-run.ts'
import type { SubmitEntry } from '../journal/submit-entry.ts'
import type { SubmitJournal } from '../journal/submit-journal.ts'
import type { StepSender } from '../steps/step-sender.ts'
import { headerOfAttempt, type RunSpans } from '../spans/run-spans.ts'

interface AttemptSenderOptions {
  ledger: Ledger
  leases: Leases
  sender: StepSender
  /** Absent where spans are off. */
  spans?: RunSpans | undefined
  /** What is submitted is noted there first. */
  journal: SubmitJournal
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
interface Sent {
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
    const { sender, stopping } = this.#options
    const { attempt, permit } = opened
    const { plan } = attempt.step
    live.attempts = [...(live.attempts ?? []), attempt.id]
    try {
      await this.#holdOn(live)
      const signingIn = await sender.signIn(plan)
      if (!signingIn.ok) return { attempt, exchanged: signingIn.exchanged }
      const { carried } = signingIn
      const sending = this.#sendOnce(live, attempt, carried, signal)
      const exchanged = await sending.finally(() => permit?.end())
      if (stopping.aborted) return { attempt, exchanged }
      const renewal = await sender.renew(plan, carried, exchanged.answer)
      if (renewal.what === 'away')
        return { attempt, exchanged: { ...exchanged, signInAway: renewal.why } }
      if (renewal.what === 'refused') return { attempt, exchanged }
      const again = await this.#openAgain(live, attempt, exchanged)
      if (!again) return { attempt, exchanged }
      live.attempts.push(again.attempt.id)
      const repeating = this.#sendOnce(live, again.attempt, renewal.carried, signal)
      return {
        attempt: again.attempt,
        exchanged: await repeating.finally(() => again.permit?.end()),
      }
    } finally {
      // Unless a call has used it.
      permit?.giveBack()
    }
  }

  /**
   * Throws LeaseLost unless it is certain that this server has the run: after a pause of the process, another
   * one may have closed it and sent it again.
   */
  async #holdOn(live: LiveRun): Promise<void> {
    const { leases } = this.#options
    if (!(await leases.canJudge()) || !leases.maySend(live)) throw new LeaseLost(live.id)
  }

  /** Asks for the lease once more when a connection is there, which may have taken long. */
  async #sendOnce(live: LiveRun, attempt: OpenAttempt, carried: Carried, signal?: AbortSignal) {
    const { sender, spans, leases } = this.#options
    await this.#holdOn(live)
    let isLost = false
    const maySend = () => {
      isLost = !leases.maySend(live)
      return !isLost
    }
    const unnoted = this.#noteSubmit(live, attempt)
    if (unnoted) return { answer: unnoted, shown: unnoted }
    const traceparent = spans && headerOfAttempt(live.trace, attempt.id)
    const how = { signal, traceparent, maySend }
    const exchanged = await sender.send(attempt.step.plan, attempt.request, carried, how)
    if (isLost) throw new LeaseLost(live.id)
    return exchanged
  }

  /** Where it can't be noted, nothing is sent, and why. */
  #noteSubmit(live: LiveRun, attempt: OpenAttempt): HttpFailed | undefined {
    const { journal, clock, log } = this.#options
    if (attempt.step.plan.effect !== 'submit') return undefined
    try {
      journal.note(entryOf(live, attempt, clock.now()))
      return undefined
    } catch (cause) {
      log.error({ run_id: live.id, err: cause }, 'a submit can’t be noted, so it is not sent')
      return {
        ok: false,
        code: 'aborted',
        isSent: false,
        detail: unnotedWords,
        durationMs: 0,
        cause,
      }
    }
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

const unnotedWords = 'the journal of submits can’t be written'

const entryOf = (live: LiveRun, { id, step, request }: OpenAttempt, at: Date): SubmitEntry => ({
  at: at.toISOString(),
  register: step.register ?? step.plan.target.register,
  kind: step.documentKind ?? 'tax',
  test: live.isTest,
  references: [...(step.references ?? [])],
  run: live.id,
  run_kind: live.kind,
  step: step.plan.position,
  endpoint: step.plan.target.endpointId,
  attempt: id,
  uuid: step.uuid,
  sha256: createHash('sha256')
    .update(request.body ?? '')
    .digest('hex'),
})
