import type { ExactJson } from '@gatehouse/contract/mapping'
import type { AnswerBuilder } from './answer-builder.ts'
import type { Deadline } from './deadline.ts'
import type { ProcedureFailure } from './procedure-failure.ts'
import type { ProcedureParameter, ProcedureSignature } from './procedure-types.ts'

/** One parameter with what the caller gave for it: undefined of a default or a pure output. */
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
  /** The same for who needs a signal. */
  readonly signal: AbortSignal
  /** The whole time of the call, for a limit that the server itself keeps. */
  timeoutMs: number
  /** To be called right before the first byte that makes the database call the procedure. */
  markSent(): void
}

export interface BackendResult {
  /** Of a sample only. */
  isRolledBack?: boolean
}

/**
 * What one kind of database must do; everything that all have in common (catalogue cache, names,
 * read-only rule, time, durations, failures as data) is done by `createProcedureCaller` above it.
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
   * statement is ended on the server, the connection not used again, and the reason thrown. Time
   * that is up while it still waits for a connection of the pool is a `procedure.busy`.
   */
  run(call: BackendCall): Promise<BackendResult>
  /**
   * `isSent`: whether the procedure may have been called by then; a code that proves that it was
   * not (no connection, no permission) says so all the same.
   */
  classify(error: unknown, isSent: boolean): ProcedureFailure
  /** Takes no more calls, lets those under way finish, then closes all connections. */
  close(): Promise<void>
}
