import { AnswerBuilder } from './answer-builder.ts'
import { Deadline } from './deadline.ts'
import { matchValues } from './match-values.ts'
import type { BackendCall, BoundParameter, ProcedureBackend } from './procedure-backend.ts'
import { ProcedureFailure } from './procedure-failure.ts'
import {
  callTimeoutDefaultMs,
  maxProcedureBytesDefault,
  maxRowsDefault,
} from './procedure-types.ts'
import type {
  ProcedureAnswer,
  ProcedureCall,
  ProcedureDescription,
  ProcedureFailed,
  ProcedureList,
  ProcedureSignature,
} from './procedure-types.ts'

const listLimit = 1_000
/** Administrators write most names. The bound is for all others. */
const signaturesKept = 500

export interface ReadOptions {
  timeoutMs?: number
  signal?: AbortSignal
}

/** The procedures of one database. No method throws, none retries. */
export interface ProcedureCaller {
  call(call: ProcedureCall): Promise<ProcedureAnswer>
  /** Reads the catalogue again, for the contract lock and when a definition is saved. */
  describe(name: string, options?: ReadOptions): Promise<ProcedureDescription>
  list(options?: ReadOptions): Promise<ProcedureList>
  /** Refuses new calls, waits for the running ones, then closes all connections. */
  close(): Promise<void>
}

interface Kept {
  reading: Promise<ProcedureSignature>
  /** Set when the reading is done, so that later calls need not wait for a promise. */
  signature?: ProcedureSignature
}

/** The work that is common to all databases: keeps signatures, checks names and rules, bounds time. */
export function createProcedureCaller(backend: ProcedureBackend): ProcedureCaller {
  const signatures = new Map<string, Kept>()
  let underWay = 0
  let onIdle: (() => void) | undefined
  let isClosed = false

  async function read(name: string, signal: AbortSignal): Promise<ProcedureSignature> {
    const signature = await backend.describe(name, signal)
    if (signature) return signature
    throw new ProcedureFailure('procedure.not_found', { isSent: false, detail: `No ${name}` })
  }

  function readAndKeep(name: string, signal: AbortSignal): Promise<ProcedureSignature> {
    const reading = read(name, signal)
    const kept: Kept = { reading }
    if (signatures.size >= signaturesKept) signatures.clear()
    signatures.set(name, kept)
    reading.then(
      (signature) => (kept.signature = signature),
      () => {
        if (signatures.get(name) === kept) signatures.delete(name)
      },
    )
    return reading
  }

  /** Callers that wait for the same name share one reading. If its caller gives up, each reads alone. */
  async function prepare(call: ProcedureCall, signal: AbortSignal): Promise<Prepared> {
    const kept = await signatures.get(call.name)?.reading.catch(() => undefined)
    if (kept) {
      const prepared = prepareFrom(kept, call)
      if (prepared) return prepared
    }
    signal.throwIfAborted()
    const signature = await readAndKeep(call.name, signal)
    return { signature, parameters: checkCall(signature, call) }
  }

  async function call(request: ProcedureCall): Promise<ProcedureAnswer> {
    const timeoutMs = request.timeoutMs ?? callTimeoutDefaultMs
    const begun = performance.now()
    const deadline = begin(timeoutMs, request.signal)
    let isPrepared = false
    try {
      check(deadline)
      const kept = signatures.get(request.name)?.signature
      const { signature, parameters } =
        (kept && prepareFrom(kept, request)) ?? (await prepare(request, deadline.signal))
      isPrepared = true
      const answer = new AnswerBuilder({
        maxRows: request.maxRows ?? maxRowsDefault,
        maxBytes: request.maxBytes ?? maxProcedureBytesDefault,
      })
      const isSample = request.isSample ?? false
      const { isRolledBack } = await backend.run(
        new RunningCall(signature, parameters, answer, deadline, {
          ...request,
          isSample,
          timeoutMs,
        }),
      )
      const { body, columns } = answer
      const durationMs = performance.now() - begun
      return isRolledBack === undefined
        ? { ok: true, body, columns, signature, durationMs }
        : { ok: true, body, columns, signature, isRolledBack, durationMs }
    } catch (error) {
      const failure = backend.classify(error, deadline.isSent)
      if (isPrepared && failure.parts.isSignatureDoubtful) signatures.delete(request.name)
      return failure.toFailed(performance.now() - begun)
    } finally {
      end(deadline)
    }
  }

  async function reading<Answered extends { ok: true }>(
    options: ReadOptions,
    work: (signal: AbortSignal) => Promise<Answered>,
  ): Promise<(Answered & { durationMs: number }) | ProcedureFailed> {
    const begun = performance.now()
    const deadline = begin(options.timeoutMs ?? callTimeoutDefaultMs, options.signal)
    try {
      check(deadline)
      return { ...(await work(deadline.signal)), durationMs: performance.now() - begun }
    } catch (error) {
      return backend.classify(error, deadline.isSent).toFailed(performance.now() - begun)
    } finally {
      end(deadline)
    }
  }

  /** A call has several parts: closing must not come between them. */
  function begin(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
    underWay++
    return new Deadline(timeoutMs, outer)
  }

  function end(deadline: Deadline) {
    deadline.stop()
    if (--underWay === 0) onIdle?.()
  }

  function check(deadline: Deadline) {
    deadline.throwIfAborted()
    if (isClosed) throw closedFailure()
  }

  return {
    call,
    describe: (name, options = {}) =>
      reading(options, async (signal) => ({
        ok: true,
        signature: await readAndKeep(name, signal),
      })),
    list: (options = {}) =>
      reading(options, async (signal) => {
        const procedures = await backend.list({ limit: listLimit + 1, signal })
        const isComplete = procedures.length <= listLimit
        return { ok: true, procedures: procedures.slice(0, listLimit), isComplete }
      }),
    async close() {
      isClosed = true
      if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      await backend.close()
    },
  }
}

class RunningCall implements BackendCall {
  readonly signature: ProcedureSignature
  readonly parameters: readonly BoundParameter[]
  readonly isSample: boolean
  readonly answer: AnswerBuilder
  readonly deadline: Deadline
  readonly timeoutMs: number
  readonly #maySend: (() => boolean) | undefined

  constructor(
    signature: ProcedureSignature,
    parameters: readonly BoundParameter[],
    answer: AnswerBuilder,
    deadline: Deadline,
    how: { isSample: boolean; timeoutMs: number; maySend?: (() => boolean) | undefined },
  ) {
    this.signature = signature
    this.parameters = parameters
    this.isSample = how.isSample
    this.answer = answer
    this.deadline = deadline
    this.timeoutMs = how.timeoutMs
    this.#maySend = how.maySend
  }

  get signal(): AbortSignal {
    return this.deadline.signal
  }

  markSent(): void {
    if (this.#maySend?.() === false) {
      const detail = 'The right to call it had ended.'
      throw new ProcedureFailure('procedure.cancelled', { isSent: false, detail })
    }
    this.deadline.isSent = true
  }
}

interface Prepared {
  signature: ProcedureSignature
  parameters: BoundParameter[]
}

/** Undefined where the call does not fit: a kept signature may be out of date and refuses no call. */
function prepareFrom(signature: ProcedureSignature, call: ProcedureCall): Prepared | undefined {
  try {
    return { signature, parameters: checkCall(signature, call) }
  } catch {
    return undefined
  }
}

function closedFailure() {
  const detail = 'Calls to this database are being stopped.'
  return new ProcedureFailure('procedure.cancelled', { isSent: false, detail })
}

function checkCall(signature: ProcedureSignature, call: ProcedureCall) {
  if (call.isReadOnlyRequired && !signature.isReadOnly) {
    throw new ProcedureFailure('procedure.not_read_only', { isSent: false })
  }
  return matchValues(signature, call.values)
}
