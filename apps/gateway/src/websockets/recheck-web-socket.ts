import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../callers/caller.ts'
import type { CertifiedConnection } from '../callers/client-authorities.ts'
import { mayCall, mayCallFrom } from '../callers/may-call.ts'
import { scopeProblem } from '../callers/token-limits.ts'
import type { CompiledEndpoint, CompiledSnapshot } from '../snapshot/compile-snapshot.ts'

/** What an open WebSocket was admitted by. */
export interface Held {
  readonly endpoint: CompiledEndpoint | null
  readonly caller: Caller | null
  readonly clientAddress: string
  readonly connection: CertifiedConnection
  /** An administrator's try shows no certificate; null: it is none. */
  readonly trace: object | null
  /** That it began with, or was moved to. */
  readonly snapshot: CompiledSnapshot
}

/** Why it is closed (RFC 6455 §7.4.1). */
interface Closing {
  readonly code: number
  readonly reason: string
}

const noCertificate = { code: 1008, reason: 'the client certificate does not count any more' }

/** What closes it as time passes; null: nothing. */
export function expiry(held: Held, dateMs: number): Closing | null {
  const { caller, endpoint } = held
  if (caller !== null && caller.expiresAtMs <= dateMs)
    return { code: 1008, reason: 'the token has expired' }
  return endpoint === null || isCertified(held, endpoint, dateMs) ? null : noCertificate
}

/** The endpoint that it goes on with by another snapshot, or why it does not. `tokens`: those of the callers, by id. */
export function recheck(
  held: Held,
  snapshot: CompiledSnapshot,
  tokens: ReadonlyMap<number, Caller>,
): Closing | { endpoint: CompiledEndpoint } {
  const found = held.endpoint && inForce(held, held.endpoint, snapshot)
  if (!found || !isServed(found))
    return { code: 1008, reason: 'the endpoint is not served any more' }
  if (!isAllowed(held, snapshot, tokens, found))
    return { code: 1008, reason: 'access was taken away' }
  if (!isCertified(held, found, Date.now())) return noCertificate
  return hasChanged(held, snapshot, found)
    ? { code: 1012, reason: 'the configuration has changed' }
    : { endpoint: found }
}

/** The endpoint as the caller would reach it now: by the draft of its API, or not. */
function inForce(
  { caller }: Held,
  { config, isDraft }: CompiledEndpoint,
  { parts }: CompiledSnapshot,
): CompiledEndpoint | undefined {
  const found = parts.endpoints.get(config.id)
  if (!isDraft || !found) return found
  const isNamed = found.api.draft?.draftTokens?.has(caller?.tokenId ?? 0) ?? false
  return isNamed ? (found.draft ?? undefined) : found
}

const isServed = ({ webSocket, config, api }: CompiledEndpoint): boolean =>
  webSocket !== null && config.is_active && api.config.is_active && api.config.fault === null

/** A caller without a personal token is checked again where issuers or roles change: see `hasChanged`. */
function isAllowed(
  { caller, clientAddress }: Held,
  { callers }: CompiledSnapshot,
  tokens: ReadonlyMap<number, Caller>,
  endpoint: CompiledEndpoint,
): boolean {
  if (caller === null) return !endpoint.isTokenRequired
  if (caller.tokenId === null) return callers.issuers !== null
  const token = tokens.get(caller.tokenId)
  const { id } = endpoint.config
  if (token === undefined || !mayCall(token, id)) return false
  if (!mayCallFrom(token, id, clientAddress)) return false
  const isSigned = endpoint.api.signatureSeconds !== null
  if (isSigned && token.signingSecret !== caller.signingSecret) return false
  const { limits } = token
  if (limits === null) return true
  const isWithin = scopeProblem(limits, endpoint.config.id, 'GET') === null
  return isWithin && (limits.addresses?.takes(clientAddress) ?? true)
}

/** Whether its certificate still counts, where the API asks for one. */
const isCertified = (
  { connection, trace }: Held,
  { api: { authorities } }: CompiledEndpoint,
  dateMs: number,
): boolean =>
  authorities === null || trace !== null || authorities.problem(connection, dateMs) === null

/** What was promised when it was opened: the address, the credential, the limits. The client may connect again. */
function hasChanged(
  { endpoint, caller, snapshot: before }: Held,
  { callers }: CompiledSnapshot,
  now: CompiledEndpoint,
): boolean {
  const isJwt = caller !== null && caller.tokenId === null
  if (isJwt && callers.issuers !== before.callers.issuers) return true
  if (endpoint === null || endpoint === now) return false
  return (
    !isDeepStrictEqual(endpoint.config, now.config) ||
    !isDeepStrictEqual(ownConfig(endpoint), ownConfig(now))
  )
}

/** Without the draft beside it and the purges of its cache, which say nothing of its own WebSockets. */
const ownConfig = ({ api: { config } }: CompiledEndpoint) => ({
  ...config,
  draft: null,
  cache_purges: [],
})
