import type { ErrorCode, FieldErrors, TlsMode } from '@gatehouse/contract'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'

export const callTimeoutDefaultMs = 30_000
export const maxRowsDefault = 10_000
export const maxProcedureBytesDefault = 16 * 1024 * 1024
export const poolSizeDefault = 10

/** Where a database is and how to sign in. A change of any field opens another pool. */
export interface ProcedureConnection {
  driver: 'mysql' | 'sqlsrv'
  host: string
  port: number
  database: string
  username: string
  password: string
  /**
   * `off`: no TLS. `encrypted`: TLS is required, the certificate is not checked. `verified`: TLS with a
   * certificate for this host from an authority that Node knows, or from `ca`.
   */
  tls: TlsMode
  /** Authority (PEM) to trust instead of Node's own, for `verified`. */
  ca?: string
  /** Connections held at most; 10 unless given. */
  poolSize?: number
  /** Bounds name lookup, TCP, TLS and sign-in together. */
  connectTimeoutMs: number
}

export interface ProcedureParameter {
  /** As in the catalogue, without SQL Server's `@`. */
  name: string
  direction: 'in' | 'out' | 'inout'
  /** The database's own name of the type in lower case, like `bigint unsigned` or `datetime2`. */
  type: string
  /** Of numbers, and of times their fraction digits as `scale`; null where it means nothing. */
  precision: number | null
  scale: number | null
  /** In characters, or bytes of binary types; null where unbounded or meaningless. */
  maxLength: number | null
  /** Of text, where the database names one. */
  charset?: string
  /** A caller may leave it out. MySQL knows no defaults. */
  hasDefault: boolean
}

/** One procedure as the catalogue describes it, with its parameters in order. */
export interface ProcedureSignature {
  schema: string
  name: string
  parameters: ProcedureParameter[]
  /** Declares that it changes no data (`READS SQL DATA`, `NO SQL`); false where the database has no such declaration. */
  isReadOnly: boolean
}

export interface ProcedureColumn {
  name: string
  /** The database's own name of the type, without length. */
  type: string
}

export interface ProcedureCall {
  /** `name`, or `schema.name`; each part may be quoted as the database quotes names. */
  name: string
  /** By parameter name. Numbers keep all their digits. */
  values: Readonly<Record<string, ExactJson>>
  /** Bounds the whole call, waiting for a connection included; 30 s unless given. */
  timeoutMs?: number
  /** Rows of all record sets together; 10,000 unless given. */
  maxRows?: number
  /** Bytes of the answer as JSON; 16 MiB unless given. */
  maxBytes?: number
  signal?: AbortSignal
  /** Asked immediately before the procedure is called. False: it is not called. */
  maySend?: () => boolean
  /** Refuses a procedure that does not declare that it only reads (a GET, spec "procedures"). */
  isReadOnlyRequired?: boolean
  /** Calls it in a transaction that is rolled back. */
  isSample?: boolean
}

/** One shape, whether or not there are rows: spec "procedures". */
export interface ProcedureBody extends ExactObject {
  recordsets: ExactObject[][]
  output: ExactObject
  returnValue: ExactJson
  rowsAffected: ExactJson[]
}

export interface ProcedureAnswered {
  ok: true
  body: ProcedureBody
  /** Names and types of the columns of each record set, for the contract lock. */
  columns: ProcedureColumn[][]
  signature: ProcedureSignature
  /** Of a sample: false where the procedure ended the transaction itself, so that its work stays. */
  isRolledBack?: boolean
  durationMs: number
}

/** `upstream.*` codes are shared with HTTP upstreams; `procedure.*` codes are about procedures. */
export type ProcedureFailureCode =
  | Extract<ErrorCode, `procedure.${string}`>
  | Extract<
      ErrorCode,
      | 'upstream.blocked_address'
      | 'upstream.dns'
      | 'upstream.refused'
      | 'upstream.connect_timeout'
      | 'upstream.tls'
      | 'upstream.timeout'
      | 'upstream.cut'
    >

export interface ProcedureFailed {
  ok: false
  code: ProcedureFailureCode
  status: number
  /** For the caller: our own text, or that of a SIGNAL or THROW, which is meant for callers. */
  message: string
  /** By parameter, where parameters are at fault. */
  fields?: FieldErrors
  /** For the log only: the text of the database. */
  detail: string
  /** False only when the procedure was certainly not called. It is then safe to call again. */
  isSent: boolean
  retryAfterSeconds?: number
  durationMs: number
  /** For the log, after redaction. */
  cause: unknown
}

export type ProcedureAnswer = ProcedureAnswered | ProcedureFailed

export type ProcedureDescription =
  | { ok: true; signature: ProcedureSignature; durationMs: number }
  | ProcedureFailed

export type ProcedureList =
  /** Those of the connection's own database first. `isComplete`: false beyond 1,000. */
  | { ok: true; procedures: ProcedureSignature[]; isComplete: boolean; durationMs: number }
  | ProcedureFailed
