import type { ErrorCode, FieldErrors } from '@gatehouse/contract'

/** Codes of failures without a usable answer of a server. */
type ClientErrorCode = 'network.failed' | 'answer.unreadable'

interface CallErrorParts {
  /** HTTP status; 0 when no answer arrived. */
  status: number
  code: ErrorCode | ClientErrorCode
  message: string
  errors?: FieldErrors | undefined
  requestId?: string | undefined
  details?: object | undefined
}

/** Every failed call is rejected with it, except aborted ones. `message` can be shown to users. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  readonly code: ErrorCode | ClientErrorCode
  /** Messages by field of a 422; empty otherwise. */
  readonly errors: FieldErrors
  readonly requestId: string | undefined
  /** The server's whole answer, for screens that show more of it; empty otherwise. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(parts: CallErrorParts, options?: ErrorOptions) {
    super(parts.message, options)
    this.status = parts.status
    this.code = parts.code
    this.errors = parts.errors ?? {}
    this.requestId = parts.requestId
    this.details = { ...parts.details }
  }
}

/** Aborts come from our own signals (the user has left a screen) and are no failures. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** What is wrong with each field; where no field is named, the sentence about the failure. */
export function reasonOf(error: unknown): string {
  const reasons = error instanceof CallError ? Object.values(error.errors).flat() : []
  return reasons.length > 0 ? reasons.join(' ') : messageOf(error)
}

/** A sentence about any failure, for a toast or a notice. */
export function messageOf(error: unknown): string {
  return error instanceof CallError ? error.message : 'Something went wrong in this page.'
}
