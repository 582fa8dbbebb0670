import type { ExactJson } from '@gatehouse/contract/mapping'
import type { AnswerBuilder } from './answer-builder.ts'
import type { Deadline } from './deadline.ts'
import type { ProcedureFailure } from './procedure-failure.ts'
import type { ProcedureParameter, ProcedureSignature } from './procedure-types.ts'

/** One parameter and the caller's value for it: undefined for a default and for a pure output. */
export interface BoundParameter {
  parameter: ProcedureParameter
  value: ExactJson | undefined
}

export interface BackendCall {
  signature: ProcedureSignature
  /** In the order of the signature; names have been checked, values not. */
  parameters: readonly BoundParameter[]
  isSample: boolean
  /** Takes record sets and rows as they arrive; throws a ProcedureFailure beyond the bounds. */
  answer: AnswerBuilder
  /** Aborts with a ProcedureFailure as its reason: time is up, or the caller has left. */
  deadline: Deadline
  /** The deadline as an AbortSignal. */
  readonly signal: AbortSignal
  /** The whole time of the call, for a limit that the server itself keeps. */
  timeoutMs: number
  /**
   * The backend calls it right before the first byte that makes the database call the procedure. Throws where
   * it may not be called any more.
   */
  markSent(): void
}

export interface BackendResult {
  /** Of a sample only. */
  isRolledBack?: boolean
}

/**
 * What one kind of database must do. `createProcedureCaller` does what is common to all: catalogue
 * cache, names, read-only rule, time, durations, failures as data.
 * Any method may throw a ProcedureFailure, or what `classify` understands. No method retries.
 */
export interface ProcedureBackend {
  /** Procedures with their parameters, those of the own database first, at most `limit`. */
  list(options: { limit: number; signal: AbortSignal }): Promise<ProcedureSignature[]>
  /** Reads the catalogue, never a cache. Undefined where it shows no such procedure. */
  describe(name: string, signal: AbortSignal): Promise<ProcedureSignature | undefined>
  /**
   * Converts values (a wrong one: `procedure.parameters` with `fields`, before anything is sent),
   * calls, and feeds `call.answer`. When `call.signal` aborts, or `call.answer` throws, the running
   * statement is ended on the server, the connection is not used again, and the reason is thrown.
   * When time is up while the call waits for a connection of the pool, it throws `procedure.busy`.
   */
  run(call: BackendCall): Promise<BackendResult>
  /**
   * `isSent`: whether the procedure may have been called by then. An error that proves that it was
   * not called (no connection, no permission) overrides it.
   */
  classify(error: unknown, isSent: boolean): ProcedureFailure
  /** Refuses new calls, waits for the running ones, then closes all connections. */
  close(): Promise<void>
}
