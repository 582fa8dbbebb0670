import { setImmediate as nextTurn } from 'node:timers/promises'
import { isUniqueViolation } from '../../../db/dialect.ts'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import { asking, refuseWithout, type Actor, type Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { TraceFor } from '../../runs/ledger/reading/run-trace.ts'
import { whereThereIsRoom } from '../runs/room-to-store.ts'
import { refuseUnlessRunnable, type RunnableVersions } from '../runs/runnable.ts'
import type { InputProblems } from '../runs/stored-rules.ts'
import type { BatchKeeper } from './batch-keeper.ts'
import { insertGroups, insertLines, lineBase, storedAtOnce, type LineBase } from './batch-lines.ts'
import { inGroups } from './inputs/grouped-inputs.ts'
import { Spool } from './inputs/spool.ts'
import {
  describeUpload,
  errorsOf,
  readChecked,
  spoolGood,
  type UploadRequest,
} from './inputs/upload-check.ts'

interface StartRequest extends UploadRequest {
  fileName: string
  isTest: boolean
  key: string | undefined
}

interface BatchStarterOptions {
  stores: Pick<Stores, 'batches'>
  inTransaction: InTransaction
  versions: RunnableVersions
  inputProblems: InputProblems
  keeper: BatchKeeper
  clock: Clock
  traceFor: TraceFor
  owner: string
  /** A folder for uploads that are being read. */
  folder: string
}

type Base = Omit<LineBase, 'batchId'>

/** Uploads that are read at the same time. Each may take half an hour and 200 MB on disk. */
const uploadsMax = 16

/** Takes uploads: all of one is stored or nothing. */
export class BatchStarter {
  readonly #options: BatchStarterOptions
  #uploads = 0

  constructor(options: BatchStarterOptions) {
    this.#options = options
  }

  /** Reads an upload and stores nothing. */
  check(request: UploadRequest, caller: Caller) {
    return this.#inTurn(() => this.#check(request, caller))
  }

  /**
   * Resolves once every run of the batch is committed. Throws a 422 that names the lines of inputs that do
   * not fit, a 503 where there is no room; then nothing is stored.
   */
  start(request: StartRequest, actor: Actor): Promise<{ id: number; isReplay: boolean }> {
    return this.#inTurn(() => whereThereIsRoom(() => this.#start(request, actor)))
  }

  /** Throws a 429 where too many uploads are being read. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#uploads >= uploadsMax) throw new AppError('server.busy', { retryAfterSeconds: 10 })
    this.#uploads++
    try {
      return await work()
    } finally {
      this.#uploads--
    }
  }

  async #check(request: UploadRequest, caller: Caller) {
    const { versions, inputProblems } = this.#options
    const runnable = await versions.get(request.slug, caller)
    const checked = readChecked(request, { ...runnable, inputProblems })
    return describeUpload(checked, runnable.rules.paths.reference)
  }

  async #start(request: StartRequest, actor: Actor): Promise<{ id: number; isReplay: boolean }> {
    const asked = request.isTest ? asking(actor, 'tax.test') : actor
    if (request.isTest) refuseWithout(actor.caller, 'tax.test')
    const { versions, inputProblems, clock, folder, traceFor } = this.#options
    const runnable = await versions.get(request.slug, actor.caller)
    // It would be nothing to release line by line, and a way around.
    if (actor.caller.tokenId !== undefined && runnable.rules.needsRelease === 'tokens')
      throw new AppError('workflow.needs_release')
    const spool = await Spool.open(folder)
    try {
      const upload = readChecked(request, { ...runnable, inputProblems })
      const { total, problems } = await spoolGood(spool, upload.inputs)
      if (problems.length > 0) throw fieldError(errorsOf(problems))
      if (total === 0) throw fieldError({ body: ['The batch has no inputs.'] })
      const at = { now: clock.now(), traceFor }
      const base = lineBase(runnable.workflow, request.isTest, asked, at)
      const size = runnable.rules.inputsPerRun
      const begun = await this.#begin(
        { ...base, size, total, hash: upload.hash() },
        request,
        asked.caller,
      )
      if (!begun.isReplay) await this.#store(begun.id, { ...base, size }, spool, asked.caller)
      return begun
    } finally {
      await spool.remove()
    }
  }

  async #begin(
    batch: Base & { size: number; total: number; hash: string },
    { fileName, isTest, key }: StartRequest,
    caller: Caller,
  ): Promise<{ id: number; isReplay: boolean }> {
    const { inTransaction, owner, stores } = this.#options
    const { workflow, user, now, size, total, hash } = batch
    const scoped = key === undefined ? null : `batch:${workflow.id}:${user.id}:${key}`
    const known = async () => {
      const found = scoped === null ? undefined : await stores.batches.findByKey(scoped)
      if (!found) return undefined
      const isSame = found.content_sha256 === hash && found.is_test === (isTest ? 1 : 0)
      if (!isSame) throw new AppError('run.key_reused')
      if (found.stored_by !== null)
        throw new AppError('batch.in_progress', { retryAfterSeconds: 5 })
      return { id: found.id, isReplay: true }
    }
    const before = await known()
    if (before) return before
    try {
      return await inTransaction(async (within) => {
        await refuseUnlessRunnable(within, { id: workflow.id, version: workflow.version }, caller)
        const lane = await within.lanes.find(workflow.laneId)
        if (lane?.is_draining) throw new AppError('lane.draining', { retryAfterSeconds: 60 })
        const { id } = await within.batches.insert({
          workflow_id: workflow.id,
          workflow_version: workflow.version,
          user_id: user.id,
          user_name: user.name,
          file_name: fileName,
          total,
          is_test: isTest ? 1 : 0,
          idempotency_key: scoped,
          content_sha256: hash,
          created_at: now,
          stored_by: owner,
          inputs_per_run: size,
        })
        return { id, isReplay: false }
      }, caller)
    } catch (error) {
      const other = isUniqueViolation(error, 'idempotency_key') ? await known() : undefined
      if (other) return other
      throw error
    }
  }

  /** Stores all lines, then the fact that they are stored: from that commit on the batch is carried out. */
  async #store(
    id: number,
    { size, ...base }: Base & { size: number },
    spool: Spool,
    caller: Caller,
  ) {
    const { inTransaction, keeper } = this.#options
    try {
      for await (const lines of spool.chunks(size * Math.ceil(storedAtOnce / size))) {
        await inTransaction((stores) =>
          size === 1
            ? insertLines(stores, { ...base, batchId: id }, lines)
            : insertGroups(stores, { ...base, batchId: id }, inGroups(lines, size)),
        )
        await nextTurn()
      }
      await inTransaction(({ batches }) => batches.update(id, { stored_by: null }), caller)
    } catch (error) {
      // The first failure is the one to report; the keeper goes on with what is left.
      await keeper.discard(id).catch(() => undefined)
      throw error
    }
    // The answer does not wait until every entry is queued.
    void keeper.look()
  }
}
