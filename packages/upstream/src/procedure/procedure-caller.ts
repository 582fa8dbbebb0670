import { AnswerBuilder } from './answer-builder.ts'
import { startDeadline } from './deadline.ts'
import type { Deadline } from './deadline.ts'
import { matchValues } from './match-values.ts'
import type { ProcedureBackend } from './procedure-backend.ts'
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
/** Names come from callers of Gatehouse only where an administrator wrote them; bounded all the same. */
const signaturesKept = 500

export interface ReadOptions {
  timeoutMs?: number
  signal?: AbortSignal
}

/** The procedures of one database. No method throws, none retries. */
export interface ProcedureCaller {
  call(call: ProcedureCall): Promise<ProcedureAnswer>
  /** Reads the catalogue anew, for the contract lock and when a definition is saved. */
  describe(name: string, options?: ReadOptions): Promise<ProcedureDescription>
  list(options?: ReadOptions): Promise<ProcedureList>
  /** Takes no more calls, lets those under way finish, then closes all connections. */
  close(): Promise<void>
}

/** What all databases have in common: signatures kept, names and rules checked, time bounded. */
export function createProcedureCaller(backend: ProcedureBackend): ProcedureCaller {
  const signatures = new Map<string, Promise<ProcedureSignature>>()
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false

  async function read(name: string, signal: AbortSignal): Promise<ProcedureSignature> {
    const signature = await backend.describe(name, signal)
    if (signature) return signature
    throw new ProcedureFailure('procedure.not_found', { isSent: false, detail: `No ${name}` })
  }

  /** Callers that wait for the same name share one reading, unless its own caller gives up on it. */
  async function signatureOf(name: string, deadline: Deadline) {
    const known = signatures.get(name)
    if (known) {
      const signature = await known.catch(() => undefined)
      if (signature) return { signature, isKept: true }
      deadline.signal.throwIfAborted()
    }
    return { signature: await readAndKeep(name, deadline.signal), isKept: false }
  }

  function readAndKeep(name: string, signal: AbortSignal): Promise<ProcedureSignature> {
    const reading = read(name, signal)
    if (signatures.size >= signaturesKept) signatures.clear()
    signatures.set(name, reading)
    reading.catch(() => {
      if (signatures.get(name) === reading) signatures.delete(name)
    })
    return reading
  }

  async function prepare(call: ProcedureCall, deadline: Deadline) {
    let { signature, isKept } = await signatureOf(call.name, deadline)
    try {
      return { signature, parameters: checkCall(signature, call) }
    } catch (error) {
      if (!isKept) throw error
      // What is kept may be out of date: nothing is refused on its word alone.
      signature = await readAndKeep(call.name, deadline.signal)
      return { signature, parameters: checkCall(signature, call) }
    }
  }

  async function call(request: ProcedureCall): Promise<ProcedureAnswer> {
    return guarded(request, async (deadline) => {
      const { signature, parameters } = await prepare(request, deadline)
      const answer = new AnswerBuilder({
        maxRows: request.maxRows ?? maxRowsDefault,
        maxBytes: request.maxBytes ?? maxProcedureBytesDefault,
      })
      const { signal, markSent } = deadline
      const isSample = request.isSample ?? false
      try {
        const result = await backend.run({
          signature,
          parameters,
          isSample,
          answer,
          signal,
          timeoutMs: request.timeoutMs ?? callTimeoutDefaultMs,
          markSent,
        })
        const { body, columns } = answer
        return { ok: true, body, columns, signature, ...result }
      } catch (error) {
        const failure = backend.classify(error, deadline.isSent)
        if (failure.parts.isSignatureDoubtful) signatures.delete(request.name)
        throw failure
      }
    })
  }

  /** A call has several parts: closing must not come between them. */
  function guarded<Answered extends { ok: true }>(
    options: ReadOptions,
    work: (deadline: Deadline) => Promise<Answered>,
  ): Promise<(Answered & { durationMs: number }) | ProcedureFailed> {
    const answer = bounded(options, work)
    underWay.add(answer)
    return answer.finally(() => underWay.delete(answer))
  }

  async function bounded<Answered extends { ok: true }>(
    options: ReadOptions,
    work: (deadline: Deadline) => Promise<Answered>,
  ): Promise<(Answered & { durationMs: number }) | ProcedureFailed> {
    const begun = performance.now()
    const deadline = startDeadline(options.timeoutMs ?? callTimeoutDefaultMs, options.signal)
    try {
      deadline.signal.throwIfAborted()
      if (isClosed) throw closedFailure()
      return { ...(await work(deadline)), durationMs: performance.now() - begun }
    } catch (error) {
      const failure = backend.classify(error, deadline.isSent)
      return failure.toFailed(performance.now() - begun)
    } finally {
      deadline.stop()
    }
  }

  return {
    call,
    describe: (name, options = {}) =>
      guarded(options, async ({ signal }) => ({
        ok: true,
        signature: await readAndKeep(name, signal),
      })),
    list: (options = {}) =>
      guarded(options, async ({ signal }) => {
        const procedures = await backend.list({ limit: listLimit + 1, signal })
        const isComplete = procedures.length <= listLimit
        return { ok: true, procedures: procedures.slice(0, listLimit), isComplete }
      }),
    async close() {
      isClosed = true
      await Promise.all(underWay)
      await backend.close()
    },
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
