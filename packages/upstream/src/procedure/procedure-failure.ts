import { errorTable } from '@gatehouse/contract'
import type { FieldErrors } from '@gatehouse/contract'
import type { UpstreamFailure } from '../failures.ts'
import type { UpstreamFailureCode } from '../http/http-answer.ts'
import type { ProcedureFailed, ProcedureFailureCode } from './procedure-types.ts'

interface ProcedureFailureParts {
  /** False only when the procedure was certainly not called. */
  isSent: boolean
  /** For the log. The public text of the code unless given. */
  detail?: string
  /** For the caller, instead of the public text of the code. */
  message?: string
  fields?: FieldErrors
  retryAfterSeconds?: number
  /** Parameters did not fit: the catalogue is read again. */
  isSignatureDoubtful?: boolean
  cause?: unknown
}

/** Why a call failed. Drivers throw it; callers get it as a `ProcedureFailed`. */
export class ProcedureFailure extends Error {
  override readonly name = 'ProcedureFailure'
  readonly code: ProcedureFailureCode
  readonly parts: ProcedureFailureParts

  constructor(code: ProcedureFailureCode, parts: ProcedureFailureParts) {
    super(parts.detail ?? parts.message ?? errorTable[code].message, { cause: parts.cause })
    this.code = code
    this.parts = parts
  }

  /** The same failure under another code. */
  as(code: ProcedureFailureCode): ProcedureFailure {
    return new ProcedureFailure(code, { ...this.parts, detail: this.message })
  }

  toFailed(durationMs: number): ProcedureFailed {
    const { status, message } = errorTable[this.code]
    const { isSent, fields, retryAfterSeconds, cause } = this.parts
    return {
      ok: false,
      code: this.code,
      status,
      message: this.parts.message ?? message,
      detail: this.message,
      isSent,
      ...(fields ? { fields } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      durationMs,
      cause,
    }
  }
}

const codesOfConnecting: Partial<Record<UpstreamFailureCode, ProcedureFailureCode>> = {
  blocked_address: 'upstream.blocked_address',
  dns: 'upstream.dns',
  refused: 'upstream.refused',
  connect_timeout: 'upstream.connect_timeout',
  tls: 'upstream.tls',
  cut: 'upstream.cut',
  aborted: 'procedure.cancelled',
}

/** A failure of the guarded connector, from before anything was called. */
export function failureOfConnecting(error: UpstreamFailure): ProcedureFailure {
  const code = codesOfConnecting[error.failure] ?? 'upstream.refused'
  return new ProcedureFailure(code, { isSent: false, detail: error.message, cause: error })
}
