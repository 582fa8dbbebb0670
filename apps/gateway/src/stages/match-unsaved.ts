import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { plainSegments } from '../http/request-path.ts'
import { compileEndpoint } from '../snapshot/compile-snapshot.ts'
import type { CompiledEndpoint } from '../snapshot/compile-snapshot.ts'
import type { Found } from '../snapshot/route-table.ts'
import type { UnsavedEndpoint } from '../messages/unsaved-messages.ts'
import { compileUnsavedApi } from './unsaved-api.ts'

/** Matches a request that tries a definition before it is saved: with that one, or with none. */
export function matchUnsaved(exchange: Exchange, unsaved: UnsavedEndpoint | null): Verdict {
  const given = unsaved?.api && compileUnsavedApi(unsaved.api, exchange.gateway.origins)
  const api = given?.api ?? (unsaved && exchange.snapshot.parts.apis.get(unsaved.endpoint.api_id))
  // The saved one, which may be at the same path, is not what was to be tried.
  if (!unsaved || !api) return exchange.refuse('client.not_found', { message: isGone })
  const endpoint = compileEndpoint(unsaved.endpoint, api)
  const found = findAsIfSaved(exchange, endpoint, unsaved.replaces)
  if (found === null) return exchange.refuse('client.not_found')
  if (found.route !== endpoint) return refuseOther(exchange, found.route)
  exchange.setEndpoint(endpoint)
  if (given) exchange.policy = given.policy
  exchange.params = found.params
  return 'next'
}

const isGone = 'The gateway has not got the definition that was to be tried. Send it again.'

/** Values in the path must not lead a try to another endpoint. */
export const refuseOther = (exchange: Exchange, { method, fullPath }: CompiledEndpoint): Verdict =>
  exchange.refuse('client.not_found', {
    message: `With these values the path leads to another endpoint: ${method} ${fullPath}.`,
  })

/** What the table would find if the definition were in it. Nothing is served meanwhile, and the table stays as it was. */
function findAsIfSaved(
  { snapshot: { routes, parts }, segments, path }: Exchange,
  endpoint: CompiledEndpoint,
  replaces: number | null,
): Found<CompiledEndpoint> | null {
  const replaced = replaces === null ? undefined : parts.endpoints.get(replaces)
  if (replaced) routes.remove(replaced)
  routes.add(endpoint)
  try {
    return routes.find(endpoint.method, segments ?? plainSegments(path))
  } finally {
    routes.remove(endpoint)
    if (replaced) routes.add(replaced)
  }
}
