import { clientBehindProxies } from '../http/client-rules.ts'
import type { CompiledToken } from '../snapshot/token-index.ts'
import type { Exchange } from '../exchange/api-policy.ts'
import { refuse } from '../exchange/refuse.ts'
import type { Verdict } from '../exchange/verdict.ts'

/** Access by role, networks, and whether API and endpoint are switched on and readable, in this order. */
export function authorize(exchange: Exchange): Verdict {
  const { endpoint, token, connection, gateway } = exchange
  if (endpoint === null) return refuse(exchange, 'gateway.failed')
  if (token !== null) {
    if (!token.isSuperAdmin && !hasAccess(token, endpoint.id)) {
      return refuse(exchange, 'client.access_denied')
    }
    gateway.counters.countToken(token.id)
  }
  let isInternal = connection.isInternal
  if (connection.isTrustedProxy) {
    const address = clientBehindProxies(exchange.forwardedFor, gateway.clientRules)
    exchange.clientAddress = address
    isInternal = gateway.clientRules.isInternal(address)
  }
  const { api } = endpoint
  if (api.isInternal && !isInternal) return refuse(exchange, 'client.internal_only')
  if (!api.isActive) return refuse(exchange, 'config.api_disabled')
  if (!endpoint.isActive) return refuse(exchange, 'config.endpoint_disabled')
  return api.isUnreadable ? refuse(exchange, 'config.api_unreadable') : 'next'
}

function hasAccess({ access }: CompiledToken, endpointId: number): boolean {
  for (let at = 0; at < access.length; at++) if (access[at]?.has(endpointId)) return true
  return false
}
