import { holdsToken, type CompiledToken } from '../snapshot/token-index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { Stage } from './stage.ts'

const askForToken = ['WWW-Authenticate', 'Bearer realm="gateway"']
const tokenIsInvalid = ['WWW-Authenticate', 'Bearer realm="gateway", error="invalid_token"']

export const authenticate: Stage = {
  name: 'authenticate',
  run: checkToken,
  traceDetails: ({ endpoint, token, trace }) => ({
    is_token_required: endpoint?.isTokenRequired ?? false,
    token_id: token?.id ?? null,
    ...(trace?.tokenId == null ? {} : { is_tried_as_client: true }),
  }),
}

/**
 * Asks for a personal token where the API or the endpoint wants one (RFC 6750 §3). The token goes no
 * further than this; neither does one of ours that was sent to an open endpoint by mistake. A signed
 * try names a token instead; what the snapshot says of it counts for it too.
 */
function checkToken(exchange: Exchange): Verdict {
  const { authorization, endpoint } = exchange
  if (endpoint === null || !endpoint.isTokenRequired) {
    if (authorization !== null && holdsToken(authorization)) exchange.authorization = null
    return 'next'
  }
  const token = shownToken(exchange)
  if (token === undefined) {
    return exchange.refuse('client.unauthenticated', { headers: askForToken })
  }
  if (token === null || token.expiresAtMs <= Date.now()) {
    return exchange.refuse('client.token_invalid', { headers: tokenIsInvalid })
  }
  exchange.token = token
  exchange.authorization = null
  return 'next'
}

/** The token that is shown, or that a try names; undefined: neither; null: it is none of ours. */
function shownToken({
  authorization,
  snapshot,
  trace,
}: Exchange): CompiledToken | null | undefined {
  if (authorization !== null) return snapshot.tokens.find(authorization)
  const triedId = trace?.tokenId ?? null
  return triedId === null ? undefined : snapshot.tokens.withId(triedId)
}
