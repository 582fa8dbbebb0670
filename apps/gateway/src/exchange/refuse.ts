import { gatewayErrorTable } from '@gatehouse/contract/gateway'
import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import type { Exchange } from './api-policy.ts'
import type { Verdict } from './verdict.ts'

export interface Refusal {
  /** Name, value, name, value. */
  headers?: readonly string[]
  /** For the log. */
  detail?: string
  /** Instead of the public text of the code. */
  message?: string
  /** The connection can't be used any further. */
  isFatal?: boolean
}

/** Answers with a code of the table. Always stops. */
export function refuse(exchange: Exchange, code: GatewayErrorCode, refusal?: Refusal): Verdict {
  const { status, message } = gatewayErrorTable[code]
  return refuseWith(exchange, { status, code, message: refusal?.message ?? message }, refusal)
}

export interface ErrorAnswer {
  status: number
  code: string
  message: string
  /** By parameter, where parameters are at fault. */
  errors?: Record<string, string[]>
}

/** The same with a code of another table. */
export function refuseWith(
  exchange: Exchange,
  { status, code, message, errors }: ErrorAnswer,
  { headers = [], detail, isFatal = false }: Refusal = {},
): Verdict {
  const answer = { message, code, request_id: exchange.requestId, ...(errors ? { errors } : {}) }
  const body = JSON.stringify(answer)
  exchange.code = code
  exchange.detail = detail ?? null
  if (isFatal) exchange.isConnectionLost = true
  exchange.answer(
    status,
    [
      'Content-Type',
      'application/json; charset=utf-8',
      'X-Content-Type-Options',
      'nosniff',
      'Cache-Control',
      'no-store',
      ...headers,
    ],
    body,
  )
  return 'stop'
}
