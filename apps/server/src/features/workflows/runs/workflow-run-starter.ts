import type { FieldErrors } from '@gatehouse/contract'
import { allOf } from '../../../db/all-of.ts'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import { asking, refuseWithout, type Actor, type Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { queueRun, type NewQueuedRun, type Queued } from '../../runs/ledger/queue-run.ts'
import type { TraceFor } from '../../runs/ledger/reading/run-trace.ts'
import { inputRead } from './input-threads.ts'
import { mayRun } from './may-run.ts'
import { deadlineOf, type RunnableVersions } from './runnable.ts'
import { whereThereIsRoom } from './room-to-store.ts'
import type { InputProblems, InputRules } from './stored-rules.ts'

/** A workflow that is saved again and again while a run is started: the caller may try again. */
const triesMax = 3
const hourMs = 3_600_000

interface StartRequest {
  slug: string
  /** JSON, as it was sent. */
  inputText: string
  key: string | undefined
  isTest: boolean
  /** 1: it goes behind runs that a caller waits for. */
  priority?: 0 | 1
  /** The client of an agent that calls by a token. */
  agent?: { name: string }
  /** What is stored in the same transaction as the run, by the id of the run. */
  beside?: (stores: Stores, runId: number) => Promise<unknown>
}

/** A run that is committed, and what was committed of it. */
export interface Started {
  queued: Queued
  run: NewQueuedRun
  createdAt: string
}

interface WorkflowRunStarterOptions {
  stores: Pick<Stores, 'tokens'>
  versions: RunnableVersions
  inTransaction: InTransaction
  clock: Clock
  inputProblems: InputProblems
  traceFor: TraceFor
  /** Tells the lane of a run, after the commit. */
  wake: (laneId: number) => void
}

/** Starts runs of workflows for machines and people (spec: machine-calls). */
export class WorkflowRunStarter {
  readonly #options: WorkflowRunStarterOptions

  constructor(options: WorkflowRunStarterOptions) {
    this.#options = options
  }

  /**
   * Resolves once the run and its input are committed: from then on it is certain to be carried out. The
   * same key with the same content is the same run. Throws 404 for a workflow that the caller may not run
   * by this token, 409 for a paused one, 422 for an input that does not fit, 503 where there is no room to store it.
   */
  async start(request: StartRequest, actor: Actor): Promise<Started> {
    // A test needs both permissions of a person who is signed in; the guard has asked for the other.
    if (request.isTest) refuseWithout(actor.caller, 'tax.test')
    const asked = request.isTest ? asking(actor, 'tax.test') : actor
    for (let attempt = 0; attempt < triesMax; attempt++) {
      const started = await this.#startOn(request, asked)
      if (started) return started
    }
    throw new AppError('record.changed')
  }

  /**
   * What is wrong with an input, by place; undefined where a run of it could start. Throws as `start` does
   * for a workflow that the caller may not run, and for a text that is no JSON.
   */
  async problemsOf(
    request: Pick<StartRequest, 'slug' | 'inputText'>,
    actor: Actor,
  ): Promise<FieldErrors | undefined> {
    const { errors } = await this.#prepare({ ...request, key: undefined, isTest: false }, actor)
    return errors
  }

  /** Undefined where a new version was saved in the meantime: the input has to fit that one. */
  async #startOn(request: StartRequest, actor: Actor): Promise<Started | undefined> {
    const { inTransaction, clock, wake } = this.#options
    const { caller } = actor
    const { run, errors } = await this.#prepare(request, actor)
    const { id, version, laneId } = run.workflow
    const createdAt = clock.now().toISOString()
    const work = async (within: Stores, checked: Promise<void>) => {
      const [, current, isAllowed] = await allOf([
        checked,
        within.workflowRuns.holdCurrent(id),
        mayRun(within, id, caller, checked),
      ])
      if (!current || !isAllowed) throw new AppError('workflow.not_found')
      if (current.version !== version) return undefined
      const refusal = errors
        ? fieldError(errors)
        : current.status === 'paused' && new AppError('workflow.paused', { retryAfterSeconds: 60 })
      // What was taken once stays taken: its key is answered with its run, whatever has changed since.
      if (refusal && !(await isTaken(within, request, caller))) throw refusal
      const queued = await queueRun(within, run, createdAt)
      await request.beside?.(within, queued.runId)
      return queued
    }
    const queued = await whereThereIsRoom(() =>
      inTransaction(work, caller, { isCheckedBeside: true, sharesCommit: true }),
    )
    if (queued?.what === 'queued') wake(laneId)
    return queued && { queued, run, createdAt }
  }

  /** The run as the version in force makes it of the input, with all that is wrong at once. */
  async #prepare(request: StartRequest, actor: Actor) {
    const { versions, inputProblems, clock, traceFor } = this.#options
    const { slug, inputText, key, isTest, priority = 0, agent } = request
    const { caller, requestId } = actor
    const { workflow: found, rules } = await versions.get(slug, caller)
    const { paths, schema } = rules
    const isListed = rules.inputsPerRun > 1
    const read = await inputRead({ text: inputText, paths, workflowId: found.id, isTest, isListed })
    if (!read.ok) {
      const code = read.isTooDeep ? 'request.too_deep' : 'request.malformed'
      throw new AppError(code, { message: read.message })
    }
    const [unfit] = schema === null ? [] : await inputProblems(schema, [inputText])
    const errors = { ...read.errors, ...unfit }
    const { id, version, kind, lane_id: laneId } = found
    const deadlineAt = deadlineOf(found, clock.now())
    const run: NewQueuedRun = {
      workflow: { id, version, slug, kind, laneId },
      inputText: isListed ? `[${inputText}]` : inputText,
      reference: read.reference,
      orderKey: read.orderKey,
      isTest,
      user: caller.user,
      requestId,
      trace: traceFor(actor),
      key,
      priority,
      batch: null,
      deadlineAt,
      contentHash: read.contentHash,
      release: await this.#releaseOf(rules, { caller, agent, deadlineAt }),
    }
    return { run, errors: Object.keys(errors).length > 0 ? errors : undefined }
  }

  /** Undefined where nobody has to release the run of this caller. */
  async #releaseOf(
    { needsRelease, releaseHours }: InputRules,
    {
      caller,
      agent,
      deadlineAt,
    }: { caller: Caller; agent: StartRequest['agent']; deadlineAt: string | null },
  ): Promise<NewQueuedRun['release']> {
    const isAsked = needsRelease === 'tokens' || (needsRelease === 'agents' && agent !== undefined)
    if (!isAsked || caller.tokenId === undefined) return undefined
    const { clock, stores } = this.#options
    const token = await stores.tokens.find(caller.tokenId)
    const names = [token?.name ?? `Token ${caller.tokenId}`, ...(agent ? [agent.name] : [])]
    const expiresAt = new Date(clock.now().getTime() + releaseHours * hourMs).toISOString()
    return {
      via: agent ? 'agent' : 'token',
      askedBy: names.filter((name) => name !== '').join(', '),
      // After its deadline it would not be sent.
      expiresAt: deadlineAt !== null && deadlineAt < expiresAt ? deadlineAt : expiresAt,
    }
  }
}

async function isTaken({ workflowRuns }: Stores, { slug, key }: StartRequest, { user }: Caller) {
  if (key === undefined) return false
  const choice = { slug, userId: user.id, key, reference: '', limit: 1 }
  return (await workflowRuns.list(choice)).length > 0
}
