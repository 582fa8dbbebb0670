import type { WorkflowRun } from '@gatehouse/contract'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import { readKey } from '../../runs/ledger/idempotency.ts'
import { answerOfRun } from '../../runs/ledger/reading/run-summary.ts'
import { waitingWords } from '../../runs/release/release-words.ts'
import { isUnderWay } from '../../runs/ledger/run-state.ts'
import { readWait } from './prefer-wait.ts'
import type { RunWaiter } from './run-waiter.ts'
import type { WorkflowRunService } from './workflow-run-service.ts'
import type { Started, WorkflowRunStarter } from './workflow-run-starter.ts'

interface RunCall {
  slug: string
  inputText: string
  isTest: boolean
  /** The client of an agent that calls by a token. */
  agent?: { name: string }
}

interface Answer {
  message?: string
  run: WorkflowRun
}

interface WorkflowRunCallerOptions {
  starter: WorkflowRunStarter
  waiter: RunWaiter
  service: WorkflowRunService
}

/** Answers a call that starts a run: at once, or after the end of the run (spec: machine-calls). */
export class WorkflowRunCaller {
  readonly #options: WorkflowRunCallerOptions

  constructor(options: WorkflowRunCallerOptions) {
    this.#options = options
  }

  /**
   * Answers 202 with the run once it is committed. A caller that prefers to wait gets 200, or a 502 or 504
   * with the run, where it ends in time.
   */
  async call({ slug, inputText, isTest, agent }: RunCall, context: CallContext): Promise<Answer> {
    const { starter, waiter } = this.#options
    const key = keyOf(context)
    const seconds = readWait(context.header('prefer'))
    const started = await this.#withOwnRuns(slug, context, () =>
      starter.start({ slug, inputText, key, isTest, ...(agent ? { agent } : {}) }, context),
    )
    const { runId, what } = started.queued
    context.setHeader('location', `/api/workflows/${slug}/runs/${runId}`)
    if (what === 'replay') context.setHeader('idempotent-replay', 'true')
    if (seconds === undefined) return { run: await this.#runOf(started, slug, context) }
    const { caller, signal: left } = context
    if (await waiter.wait({ runId, seconds, caller, left }))
      context.setHeader('preference-applied', `wait=${seconds}`)
    const run = await this.#shown(slug, runId, context)
    return isUnderWay(run.state) ? { run } : this.#end(run, context)
  }

  /** A run that was just queued is as it was committed; nothing is read again. */
  #runOf(started: Started, slug: string, context: CallContext): Promise<WorkflowRun> | WorkflowRun {
    return started.queued.what === 'queued'
      ? queuedView(started)
      : this.#shown(slug, started.queued.runId, context)
  }

  /** The replayed run of another user is not shown. */
  async #shown(slug: string, id: number, { caller }: CallContext): Promise<WorkflowRun> {
    const run = await this.#options.service.find({ slug, id }, false, caller)
    if (run) return run
    throw new AppError('run.may_be_accepted', {
      message: `Another user has sent the same content as run ${id}.`,
      extra: { run: { id } },
    })
  }

  /** The status is that of the run as it is shown: it may be settled at this moment. */
  #end(run: WorkflowRun, context: CallContext): Answer {
    try {
      const answer = answerOfRun(run, context)
      context.setStatus(200)
      return answer
    } catch (error) {
      throw error instanceof AppError ? withRun(error, run) : error
    }
  }

  /** A refusal names the run that it is about; it shows only one that the caller may see. */
  async #withOwnRuns<T>(slug: string, { caller }: CallContext, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const about = error instanceof AppError ? error.details.extra?.['run'] : undefined
      if (!(error instanceof AppError) || !hasId(about)) throw error
      const run = await this.#options.service.find({ slug, id: about.id }, false, caller)
      throw withRun(error, run ?? { id: about.id })
    }
  }
}

const hasId = (about: unknown): about is { id: number } =>
  typeof about === 'object' && about !== null && 'id' in about && typeof about.id === 'number'

function withRun({ code, details }: AppError, run: WorkflowRun | { id: number }): AppError {
  return new AppError(code, { ...details, extra: { ...details.extra, run } })
}

/** A machine has to name its request: it can't look whether the first try of two arrived. */
export function keyOf({ caller, header }: CallContext): string | undefined {
  const key = readKey(header('idempotency-key'))
  if (key === undefined && caller.tokenId !== undefined) {
    throw fieldError({
      'Idempotency-Key': ['With a personal token this header is required: a new UUID per request.'],
    })
  }
  return key
}

function queuedView({ queued, run, createdAt }: Started): WorkflowRun {
  const { workflow, reference, isTest, key, deadlineAt, release } = run
  return {
    id: queued.runId,
    state: release ? 'waits_for_release' : 'queued',
    kind: workflow.kind,
    is_test: isTest,
    is_dry_run: false,
    workflow: { slug: workflow.slug, version: workflow.version },
    reference,
    key: key ?? null,
    batch: null,
    created_at: createdAt,
    finished_at: null,
    outcome: null,
    message: release ? waitingWords(release.expiresAt) : null,
    queue: release ? null : { tries: 0, next_try_at: null, deadline_at: deadlineAt },
    authority_reference: null,
    qr: null,
    steps: [],
  }
}
