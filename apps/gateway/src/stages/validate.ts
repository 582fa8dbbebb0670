import { heldBytesMax, holdBody } from '../calls/hold-body.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { placesText, unfitPlaces } from '../validation/check-request.ts'
import type { CompiledValidation } from '../schemas/compile-validation.ts'
import { lookUp } from './policy.ts'
import { checkDigest } from './proofs/check-digest.ts'
import type { Stage } from './stage.ts'

export const validate: Stage = {
  name: 'validate',
  run: checkRequest,
  traceDetails: ({ endpoint, unfit }) => {
    const validation = endpoint?.validation ?? null
    if (validation === null) return {}
    return { mode: validation.isEnforced ? 'enforce' : 'log', does_not_fit: unfit ?? {} }
  },
}

/** Holds the body against the digest that was signed, and the request against the schemas of its endpoint. */
function checkRequest(exchange: Exchange): Verdict {
  const { contentDigest } = exchange
  if (contentDigest !== null) {
    const verdict = checkDigest(exchange, contentDigest)
    if (verdict !== 'next') return verdict
  }
  const validation = exchange.endpoint?.validation ?? null
  if (validation === null) return contentDigest === null ? 'next' : lookUp(exchange)
  const { fault, isEnforced } = validation
  if (fault !== null && isEnforced) return exchange.refuse('config.validation', { detail: fault })
  const waiting = awaitBody(exchange, validation)
  if (waiting !== 'next') return waiting
  const unfit = unfitPlaces(exchange, validation)
  if (unfit !== null) {
    exchange.unfit = unfit
    if (isEnforced) return exchange.refuseUnfit(unfit, placesText(unfit))
    exchange.gateway.counters.countCode('client.unfit.logged')
    exchange.detail = `The request does not fit, and was let in: ${placesText(unfit)}`
  }
  return lookUp(exchange)
}

/** An answer that is kept is given to a request that was checked. */

/** Says to wait where the body is still to come. Where nothing is enforced, a large one streams on. */
function awaitBody(exchange: Exchange, { body, isEnforced }: CompiledValidation): Verdict {
  if (body === null || !exchange.hasBody) return 'next'
  const { contentLength } = exchange
  if (isEnforced || (contentLength !== -1 && contentLength <= heldBytesMax))
    return holdBody(exchange)
  exchange.detail = 'The body was not checked: it is larger than 1 MiB, or has no length.'
  return 'next'
}
