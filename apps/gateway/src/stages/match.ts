import { wireMethodNames } from '@gatehouse/contract/gateway'
import type { AgentRequest } from '../exchange/agent-request.ts'
import { agentPath } from '../agents/agent-path.ts'
import { beginAgentRequest } from './begin-agent-request.ts'
import { answerMetadata, metadataPath } from '../agents/resource-metadata.ts'
import { takeMessage } from '../agents/take-message.ts'
import { plainSegments } from '../http/request-path.ts'
import type { RouteMethod } from '../snapshot/route-table.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { admitWebSocket } from './admit-web-socket.ts'
import { matchUnsaved, refuseOther } from './match-unsaved.ts'
import type { Stage } from './stage.ts'
import type { UnsavedEndpoint } from '../messages/unsaved-messages.ts'

export const match: Stage = {
  name: 'match',
  run: matchRequest,
  traceDetails: ({ endpoint, allow, params, trace }) => {
    if (endpoint === null) return allow === '' ? {} : { allow }
    return {
      ...(trace?.isOfUnsaved ? { is_unsaved: true } : {}),
      endpoint_id: endpoint.config.id || null,
      api_id: endpoint.api.config.id,
      api: endpoint.api.config.name,
      method: endpoint.method,
      path: endpoint.fullPath,
      params: Object.fromEntries(endpoint.paramNames.map((name, at) => [name, params[at]])),
    }
  },
}

function matchRequest(exchange: Exchange): Verdict {
  // Its body was waited for.
  if (exchange.agent !== null) return matchAgent(exchange, exchange.agent)
  const verdict = findEndpoint(exchange)
  return exchange.webSocket === null || verdict === 'stop' ? verdict : admitWebSocket(exchange)
}

/** Finds the endpoint, and how the path that is forwarded begins. */
function findEndpoint(exchange: Exchange): Verdict {
  const { path, method, trace } = exchange
  if (trace?.isOfUnsaved) return findUnsaved(exchange, trace.unsaved)
  if (isRouteMethod(method)) {
    const verdict = findRoute(exchange, method)
    if (verdict !== null) return verdict
  }
  if (method === 'HEAD') {
    const verdict = findRoute(exchange, 'GET')
    if (verdict !== null) return verdict
  }
  if (path === '/healthz' || path === '/readyz') return answerHealth(exchange)
  if (path.startsWith(metadataPath) && answerMetadata(exchange)) return 'stop'
  const verdict = path.startsWith(agentPath) ? beginAgentRequest(exchange) : null
  if (verdict === 'stop') return verdict
  return verdict !== null && exchange.agent !== null
    ? matchAgent(exchange, exchange.agent)
    : matchNothing(exchange)
}

/** A call of a tool is the request that it stands for: its values must not lead it to another endpoint. */
function matchAgent(exchange: Exchange, agent: AgentRequest): Verdict {
  const verdict = takeMessage(exchange, agent)
  if (verdict !== 'next' || agent.tool === null) return verdict
  const { endpoint } = agent.tool
  const { path, method, segments, snapshot } = exchange
  const found = isRouteMethod(method)
    ? snapshot.routes.find(method, segments ?? plainSegments(path))
    : null
  if (found?.route !== endpoint) return exchange.refuse('client.target')
  if (exchange.trace?.isMeantFor(endpoint.config.id) === false)
    return refuseOther(exchange, endpoint)
  exchange.setEndpoint(endpoint)
  exchange.params = found.params
  exchange.upstreamPath = path.slice(prefixLength(path, endpoint.prefixSegments))
  return 'next'
}

function findUnsaved(exchange: Exchange, unsaved: UnsavedEndpoint | null): Verdict {
  const verdict = matchUnsaved(exchange, unsaved)
  const { endpoint, path } = exchange
  if (endpoint) exchange.upstreamPath = path.slice(prefixLength(path, endpoint.prefixSegments))
  return verdict
}

/** Null: no endpoint has this method and the path. */
function findRoute(exchange: Exchange, method: RouteMethod): Verdict | null {
  const { path, snapshot } = exchange
  const exact = exchange.segments === null ? snapshot.routes.exact(method, path) : null
  if (exact !== null) {
    exchange.setEndpoint(exact)
    exchange.upstreamPath = path.slice(exact.prefixLength)
    return continueFor(exchange)
  }
  const found = snapshot.routes.find(method, exchange.segments ?? plainSegments(path))
  if (found === null) return null
  exchange.setEndpoint(found.route)
  exchange.params = found.params
  exchange.upstreamPath = path.slice(prefixLength(path, found.route.prefixSegments))
  return continueFor(exchange)
}

/** A trace is allowed for one endpoint. Values in the path must not lead the request to another. */
function continueFor(exchange: Exchange): Verdict {
  const { trace, endpoint } = exchange
  if (trace === null || endpoint === null || trace.isMeantFor(endpoint.config.id)) return 'next'
  return refuseOther(exchange, endpoint)
}

const isRouteMethod = (method: string): method is RouteMethod =>
  (wireMethodNames as readonly string[]).includes(method)

/** Where the rest of the path begins after this many segments, in the path as it came. */
function prefixLength(path: string, segments: number): number {
  let at = 0
  for (let left = segments; left > 0; left--) at = path.indexOf('/', at + 1)
  return at
}

/** The path leads nowhere, or takes other methods (RFC 9110 §15.5.6). */
function matchNothing(exchange: Exchange): Verdict {
  const segments = exchange.segments ?? plainSegments(exchange.path)
  const { routes } = exchange.snapshot
  const methods = routes.methods(segments)
  const [first] = methods
  if (first === undefined) return exchange.refuse('client.not_found')
  const named = methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]))
  exchange.allow = [...new Set(named)].join(', ')
  const headers = ['Allow', exchange.allow]
  const endpoint = routes.find(first, segments)?.route ?? null
  const policy = endpoint && exchange.policyOf(endpoint)
  if (exchange.method === 'OPTIONS') {
    if (endpoint) exchange.setEndpoint(endpoint)
    if (policy?.preflight && policy.preflight(exchange) === 'stop') return 'stop'
    exchange.allow += ', OPTIONS'
    // Those who may call the endpoint learn its methods: `policy` answers.
    return 'next'
  }
  policy?.addHeaders?.(exchange, headers)
  return exchange.refuse('client.method', { headers })
}

/** `/readyz` is also refused where changes of other servers may not have arrived, and before the server stops. */
function answerHealth(exchange: Exchange): Verdict {
  if (exchange.webSocket !== null) return exchange.refuse('client.upgrade', { isFatal: true })
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
    return exchange.refuse('client.method', { headers: ['Allow', 'GET, HEAD'] })
  }
  const { isStopping, isLeaving, freshness } = exchange.gateway
  const isAskedForReadiness = exchange.path === '/readyz'
  const isStale = isAskedForReadiness && freshness.isStale
  const isEnding = isStopping || (isAskedForReadiness && isLeaving)
  const body = JSON.stringify({
    status: isEnding ? 'stopping' : isStale ? 'stale' : 'ok',
    revision: exchange.snapshot.revision,
  })
  const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-store']
  exchange.answer(isEnding || isStale ? 503 : 200, headers, body)
  return 'stop'
}
