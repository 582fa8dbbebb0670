import { holdsToken } from '../snapshot/token-index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { Stage } from './stage.ts'

const askForToken = ['WWW-Authenticate', 'Bearer realm="gateway"']
const tokenIsInvalid = ['WWW-Authenticate', 'Bearer realm="gateway", error="invalid_token"']

export const authenticate: Stage = {
  name: 'authenticate',
  run: checkToken,
  traceDetails: ({ endpoint, token }) => ({
    is_token_required: endpoint?.isTokenRequired ?? false,
    token_id: token?.id ?? null,
  }),
}

/**
 * Asks for a personal token where the API or the endpoint wants one (RFC 6750 §3). The token goes no
 * further than this; neither does one of ours that was sent to an open endpoint by mistake.
 */
function checkToken(exchange: Exchange): Verdict {
  const { authorization, endpoint, snapshot } = exchange
  if (endpoint === null || !endpoint.isTokenRequired) {
    if (authorization !== null && holdsToken(authorization)) exchange.authorization = null
    return 'next'
  }
  if (authorization === null) {
    return exchange.refuse('client.unauthenticated', { headers: askForToken })
  }
  const token = snapshot.tokens.find(authorization)
  if (token === null || token.expiresAtMs <= Date.now()) {
    return exchange.refuse('client.token_invalid', { headers: tokenIsInvalid })
  }
  exchange.token = token
  exchange.authorization = null
  return 'next'
}
