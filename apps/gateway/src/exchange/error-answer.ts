export interface Refusal {
  /** Name, value, name, value. */
  headers?: readonly string[]
  /** For the log. */
  detail?: string | undefined
  /** Instead of the public text of the code. */
  message?: string
  /** The connection can't be used any further. */
  isFatal?: boolean
}

export interface ErrorAnswer {
  status: number
  code: string
  message: string
  /** By parameter, or by place of the request (JSON pointer), where that is at fault. */
  errors?: Record<string, string[]>
}

/** Name, value, name, value. */
export const errorHeaders: readonly string[] = [
  'Content-Type',
  'application/json; charset=utf-8',
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
]

export function errorBody({ message, code, errors }: ErrorAnswer, requestId: string): string {
  return JSON.stringify({ message, code, request_id: requestId, ...(errors ? { errors } : {}) })
}
