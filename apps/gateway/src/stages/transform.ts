import { holdBody } from '../calls/hold-body.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { changeRequest } from '../transformation/change-request.ts'
import type { Stage } from './stage.ts'

export const transform: Stage = {
  name: 'transform',
  run: change,
  traceDetails: ({ change: made }) => ({ ...made }),
}

/** Changes headers, query, path and body as the endpoint says, once the body is here if it is read. */
function change(exchange: Exchange): Verdict {
  const transformation = exchange.endpoint?.transformation ?? null
  if (transformation === null) return 'next'
  const { request, fault } = transformation
  if (fault !== null) return exchange.refuse('config.transformation', { detail: fault })
  if (request === null) return 'next'
  if (request.isBodyRead || request.body !== null) {
    const waiting = holdBody(exchange)
    if (waiting !== 'next') return waiting
  }
  return changeRequest(exchange, request)
}
