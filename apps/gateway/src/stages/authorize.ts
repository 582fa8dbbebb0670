import { clientBehindProxies } from '../http/client-rules.ts'
import type { Caller } from '../callers/caller.ts'
import { mayCall, mayCallFrom } from '../callers/may-call.ts'
import { scopeProblem } from '../callers/token-limits.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { Stage } from './stage.ts'

export const authorize: Stage = {
  name: 'authorize',
  run: checkAccess,
  traceDetails: ({ endpoint, caller, clientAddress }) => ({
    is_super_admin: caller?.isSuperAdmin ?? false,
    client: clientAddress,
    is_internal_only: endpoint?.api.config.is_internal ?? false,
  }),
}

const ofToken = {
  message: 'This token may not be used from your address.',
  detail: 'The token is limited to other addresses',
}

const ofRoles = {
  message: 'None of your roles may call this from your address.',
  detail: 'The roles with access are limited to other addresses',
}

/** Access by role, what the token is limited to, networks, and whether API and endpoint are switched on and readable, in this order. */
function checkAccess(exchange: Exchange): Verdict {
  const { endpoint, caller, gateway, trace } = exchange
  if (endpoint === null) return exchange.refuse('gateway.failed')
  if (caller !== null) {
    if (!mayCall(caller, endpoint.config.id)) {
      return exchange.refuse('client.access_denied')
    }
    // Its holder did not use a token that an administrator tried.
    const isUse = caller.tokenId !== null && (trace === null || trace.tokenId === null)
    if (isUse) gateway.counters.countToken(caller.tokenId)
    const { limits } = caller
    const problem = limits && scopeProblem(limits, endpoint.config.id, exchange.method)
    if (problem !== null) return exchange.refuse('client.token_scope', problem)
  }
  const isInternal = readNetworks(exchange)
  if (caller !== null && refuseAddress(exchange, caller) === 'stop') return 'stop'
  if (caller !== null && !mayCallFrom(caller, endpoint.config.id, exchange.clientAddress))
    return exchange.refuse('client.address_denied', ofRoles)
  const { api } = endpoint
  if (api.config.is_internal && !isInternal) return exchange.refuse('client.internal_only')
  if (!api.config.is_active) return exchange.refuse('config.api_disabled')
  if (!endpoint.config.is_active) return exchange.refuse('config.endpoint_disabled')
  return api.config.fault !== null ? exchange.refuse('config.api_unreadable') : 'next'
}

/** Finds out which address the client has; says whether that is in an internal network. */
export function readNetworks(exchange: Exchange): boolean {
  const { connection, gateway } = exchange
  if (!connection.isTrustedProxy) return connection.isInternal
  const address = clientBehindProxies(exchange.forwardedFor, gateway.clientRules)
  exchange.clientAddress = address
  return gateway.clientRules.isInternal(address)
}

/** A token may be limited to addresses. */
export function refuseAddress(exchange: Exchange, { limits }: Caller): Verdict {
  const addresses = limits?.addresses ?? null
  return addresses === null || addresses.takes(exchange.clientAddress)
    ? 'next'
    : exchange.refuse('client.address_denied', ofToken)
}
