import { askingFields, whoShows } from './authenticate.ts'
import { readNetworks, refuseAddress } from './authorize.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { passedField } from '../policy/answer-headers.ts'
import { apiAt } from '../agents/agent-path.ts'
import { metadataUrl } from '../agents/resource-metadata.ts'

/**
 * A request of an agent: its method, origin and caller. Null: the path is none for agents, or no API is offered
 * there. A caller is always asked for, also where an endpoint is open to others.
 */
export function beginAgentRequest(exchange: Exchange): Verdict | null {
  const api = apiAt(exchange, exchange.path)
  if (api === undefined) return null
  if (exchange.webSocket !== null) return exchange.refuse('client.upgrade', { isFatal: true })
  const policy = api && exchange.policyOfApi(api)
  if (exchange.method !== 'POST') {
    exchange.allow = 'POST'
    const isPreflight = exchange.method === 'OPTIONS' && policy?.preflight
    if (isPreflight && isPreflight(exchange) === 'stop') return 'stop'
    return exchange.refuse('client.method', { headers: ['Allow', 'POST'] })
  }
  const corsFields: string[] = []
  policy?.addHeaders?.(exchange, corsFields)
  // A page in a browser must not act by a token that it was not meant to have (DNS rebinding).
  if (passedField(exchange, 'origin') !== undefined && !allowsOrigin(corsFields))
    return exchange.refuse('client.origin')
  const shown = whoShows(exchange)
  if (!shown.ok)
    return exchange.refuse(shown.code, {
      headers: askingFields(shown.code, metadataUrl(exchange)),
      detail: shown.detail,
    })
  const { caller } = shown
  const isInternal = readNetworks(exchange)
  if (refuseAddress(exchange, caller) === 'stop') return 'stop'
  exchange.agent = {
    api,
    caller,
    authorization: exchange.authorization,
    isInternal,
    clientAddress: exchange.clientAddress,
    corsFields,
    clientName: '',
    reply: null,
    fetched: null,
    tool: null,
    toolName: null,
    outcome: null,
  }
  exchange.caller = caller
  return 'next'
}

const allowsOrigin = (fields: readonly string[]): boolean =>
  fields.some((field, at) => at % 2 === 0 && field === 'Access-Control-Allow-Origin')
