import { errorTable, type ErrorCode, type FieldErrors } from '@gatehouse/contract'

interface Details {
  /** Messages by field name, for a 422 or a conflict that one field causes. */
  fields?: FieldErrors
  /** A public text in place of the table's, where it can say more. Never holds internals. */
  message?: string
  retryAfterSeconds?: number
  /** Goes to the log, never to a client. */
  cause?: unknown
  /** True keeps the attempt in the audit trail; a 403 is kept anyway. */
  isAudited?: boolean
  /** More that the answer carries beside the message. */
  extra?: Record<string, unknown>
}

/** An expected refusal. Anything else that is thrown is a bug and answered as `server.failed`. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: Details

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? errorTable[code].message, { cause: details.cause })
    this.code = code
    this.status = errorTable[code].status
    this.details = details
  }
}

/** A 422 with messages under the fields that they belong to. */
export function fieldError(fields: FieldErrors): AppError {
  return new AppError('request.invalid', { fields })
}
