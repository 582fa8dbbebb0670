import { randomUUID } from 'node:crypto'
import type { Effect, RunKind, RunSummary } from '@gatehouse/contract'
import type { HttpAnswer } from '@gatehouse/upstream'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { classifyAnswer, classifyCrash, runStateOf, type Classified } from './classify-answer.ts'
import type { FrozenRequest } from './freeze-request.ts'
import type { Target } from './target.ts'

/** Answers are kept whole up to this length; what is sent is always kept whole. */
const answerKeptBytes = 1024 * 1024

/** A single-step run whose attempt is committed as under way. */
export interface OpenRun {
  runId: number
  stepId: number
  attemptId: number
  endpointId: number
  effect: Effect
}

export interface NewRun {
  kind: RunKind
  caller: Caller
  requestId: string
  target: Target
  effect: Effect
  request: FrozenRequest
}

/**
 * The journal of everything that is sent. What will be sent is committed before the socket opens and
 * what was seen after; a process that dies in between leaves an open attempt, which the next start
 * finds. Nothing in it is ever deleted or overwritten.
 */
export class Ledger {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock
  /** Names this server: it recovers its own open attempts and nobody else's. */
  readonly #owner: string

  constructor(inTransaction: InTransaction, clock: Clock, owner: string) {
    this.#inTransaction = inTransaction
    this.#clock = clock
    this.#owner = owner
  }

  /** Commits the frozen request with an attempt under way. Send only after this has returned. */
  begin({ kind, caller, requestId, target, effect, request }: NewRun): Promise<OpenRun> {
    const now = this.#clock.now().toISOString()
    return this.#inTransaction(async ({ runs }) => {
      const run = await runs.insertRun({
        kind,
        state: 'running',
        is_test: 0,
        idempotency_key: null,
        content_sha256: null,
        reference: null,
        retry_of: null,
        user_id: caller.user.id,
        user_name: caller.user.name,
        request_id: requestId,
        created_at: now,
      })
      const step = await runs.insertStep({
        run_id: run.id,
        position: 1,
        endpoint_id: target.endpointId,
        endpoint_name: target.name,
        effect,
        state: 'sending',
        uuid: randomUUID(),
        method: request.method,
        url: request.url,
        headers: JSON.stringify(request.headers),
        body: request.body,
      })
      const attempt = await runs.insertAttempt({
        step_id: step.id,
        number: 1,
        owner: this.#owner,
        started_at: now,
      })
      return {
        runId: run.id,
        stepId: step.id,
        attemptId: attempt.id,
        endpointId: target.endpointId,
        effect,
      }
    })
  }

  /** Commits what was seen of the attempt, and what that makes of its step and run. */
  async finish(open: OpenRun, answer: HttpAnswer): Promise<Classified & { run: RunSummary }> {
    const classified = classifyAnswer(answer, open.effect)
    const { outcome, state, errorCode } = classified
    const now = this.#clock.now().toISOString()
    const status = answer.status ?? null
    const duration_ms = Math.round(answer.durationMs)
    await this.#inTransaction(async ({ runs }) => {
      await runs.finishAttempt(open.attemptId, outcome, {
        finished_at: now,
        error_code: errorCode ?? null,
        status,
        duration_ms,
        ...(answer.ok ? keptAnswer(answer) : {}),
      })
      await runs.setStepState(open.stepId, state)
      await runs.updateRun(open.runId, { state: runStateOf(state), finished_at: now })
    })
    const step = { position: 1, endpoint_id: open.endpointId, state, outcome, status, duration_ms }
    return { ...classified, run: { id: open.runId, state: runStateOf(state), steps: [step] } }
  }

  /**
   * Closes the attempts during which this server died, before it serves again: a submit becomes
   * unknown, a read not started. Returns how many there were.
   */
  recover(): Promise<number> {
    const now = this.#clock.now().toISOString()
    return this.#inTransaction(async ({ runs }) => {
      const open = await runs.listOpenAttempts(this.#owner)
      for (const attempt of open) {
        const { outcome, state } = classifyCrash(attempt.effect)
        await runs.finishAttempt(attempt.id, outcome, { finished_at: now })
        await runs.setStepState(attempt.step_id, state)
        await runs.updateRun(attempt.run_id, { state: runStateOf(state), finished_at: now })
      }
      return open.length
    })
  }
}

const keptHeaders = ['content-type', 'retry-after', 'location', 'x-request-id']

function keptAnswer({ headers, body }: Extract<HttpAnswer, { ok: true }>) {
  const kept = keptHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  )
  return {
    answer_headers: JSON.stringify(Object.fromEntries(kept)),
    // PostgreSQL's text can't hold NUL.
    answer_body: body.subarray(0, answerKeptBytes).toString('utf8').replaceAll('\0', '\uFFFD'),
    answer_bytes: body.length,
  }
}
