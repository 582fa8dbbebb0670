import { isDeepStrictEqual } from 'node:util'
import type { WebSocketTunnel } from '@gatehouse/http1'
import type { Caller } from '../callers/caller.ts'
import { mayCall } from '../callers/may-call.ts'
import { scopeProblem } from '../callers/token-limits.ts'
import type { WebSocketReport } from '../messages/report-messages.ts'
import type { CompiledEndpoint, CompiledSnapshot } from '../snapshot/compile-snapshot.ts'
import { restarting } from './end-of-web-socket.ts'
import type { WebSocketRequest } from './web-socket-request.ts'

/** A request that has become a WebSocket. */
interface Owner {
  readonly webSocket: WebSocketRequest | null
  readonly endpoint: CompiledEndpoint | null
  readonly caller: Caller | null
  readonly clientAddress: string
  /** That it began with, or was moved to. */
  readonly snapshot: CompiledSnapshot
  moveTo(snapshot: CompiledSnapshot, endpoint: CompiledEndpoint, caller: Caller | null): void
}

/** All WebSockets of a worker: how many there may be, and what closes them other than their two sides. */
export class WebSockets {
  readonly #max: number
  readonly #open = new Set<Owner>()
  #places = 0
  #opened = 0
  #refused = 0
  #bytesIn = 0
  #bytesOut = 0
  /** In force since the last change; null: none since the start. */
  #inForce: CompiledSnapshot | null = null
  #isStopping = false

  /** `max`: those that are open or about to be, at a time. */
  constructor(max: number) {
    this.#max = max
  }

  /** False: there is no room for another. */
  enter(request: WebSocketRequest): boolean {
    if (request.hasPlace) return true
    if (this.#places >= this.#max) return false
    this.#places++
    request.hasPlace = true
    return true
  }

  /** One whose handshake was under way while the worker began to stop, or while a snapshot changed, is closed as the others were. */
  add(owner: Owner): void {
    this.#open.add(owner)
    this.#opened++
    if (this.#isStopping) owner.webSocket?.tunnel?.close(1001, restarting)
    else if (this.#inForce !== null && owner.snapshot !== this.#inForce)
      this.#recheckThese([owner], this.#inForce)
  }

  /** Both connections are gone. */
  remove(owner: Owner): void {
    this.#open.delete(owner)
  }

  /** The request has ended, as a WebSocket or without having become one. */
  settle(request: WebSocketRequest): void {
    if (request.hasPlace) this.#places--
    if (request.tunnel === null) this.#refused++
    else this.#countBytes(request)
  }

  /** To be called each second. */
  sweep(nowMs: number, dateMs: number): void {
    for (const { webSocket, caller } of this.#open) {
      if (caller !== null && caller.expiresAtMs <= dateMs)
        webSocket?.tunnel?.close(1008, 'the token has expired')
      webSocket?.tunnel?.sweep(nowMs)
    }
  }

  /** The worker stops. */
  drain(): void {
    this.#isStopping = true
    for (const tunnel of this.#tunnels()) tunnel.close(1001, restarting)
  }

  destroy(): void {
    for (const tunnel of this.#tunnels()) tunnel.destroy()
  }

  /** Another snapshot is in force: those that it does not allow are closed, and those of endpoints that have changed. */
  recheck(snapshot: CompiledSnapshot): void {
    this.#inForce = snapshot
    if (this.#open.size > 0) this.#recheckThese([...this.#open], snapshot)
  }

  #recheckThese(owners: readonly Owner[], snapshot: CompiledSnapshot): void {
    const ids = new Set(owners.flatMap(({ caller }) => caller?.tokenId ?? []))
    const tokens = snapshot.callers.tokens.withIds(ids)
    for (const owner of owners) {
      const tunnel = owner.webSocket?.tunnel
      const { endpoint } = owner
      const found = endpoint && inForce(owner, endpoint, snapshot)
      if (!found || !isServed(found)) tunnel?.close(1008, 'the endpoint is not served any more')
      else if (!isAllowed(owner, snapshot, tokens, found))
        tunnel?.close(1008, 'access was taken away')
      else if (hasChanged(owner, snapshot, found))
        tunnel?.close(1012, 'the configuration has changed')
      else owner.moveTo(snapshot, found, tokens.get(owner.caller?.tokenId ?? 0) ?? owner.caller)
    }
  }

  /** What was counted since the last time; counting starts again from 0. */
  take(): WebSocketReport {
    for (const { webSocket } of this.#open) if (webSocket) this.#countBytes(webSocket)
    const report = {
      open: this.#open.size,
      opened: this.#opened,
      refused: this.#refused,
      bytes_in: this.#bytesIn,
      bytes_out: this.#bytesOut,
    }
    this.#opened = 0
    this.#refused = 0
    this.#bytesIn = 0
    this.#bytesOut = 0
    return report
  }

  #countBytes(request: WebSocketRequest): void {
    const { tunnel, countedIn, countedOut } = request
    if (tunnel === null) return
    request.countedIn = tunnel.client.passedBytes
    request.countedOut = tunnel.upstream.passedBytes
    this.#bytesIn += request.countedIn - countedIn
    this.#bytesOut += request.countedOut - countedOut
  }

  #tunnels(): WebSocketTunnel[] {
    return [...this.#open].flatMap(({ webSocket }) => webSocket?.tunnel ?? [])
  }
}

/** The endpoint as the caller would reach it now: by the draft of its API, or not. */
function inForce(
  { caller }: Owner,
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
  { caller, clientAddress }: Owner,
  { callers }: CompiledSnapshot,
  tokens: ReadonlyMap<number, Caller>,
  endpoint: CompiledEndpoint,
): boolean {
  if (caller === null) return !endpoint.isTokenRequired
  if (caller.tokenId === null) return callers.issuers !== null
  const token = tokens.get(caller.tokenId)
  if (token === undefined || !mayCall(token, endpoint.config.id)) return false
  const { limits } = token
  if (limits === null) return true
  const isWithin = scopeProblem(limits, endpoint.config.id, 'GET') === null
  return isWithin && (limits.addresses?.takes(clientAddress) ?? true)
}

/** What was promised when it was opened: the address, the credential, the limits. The client may connect again. */
function hasChanged(
  { endpoint, caller, snapshot: before }: Owner,
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

/** Without the draft beside it, which says nothing of its own WebSockets. */
const ownConfig = ({ api: { config } }: CompiledEndpoint) => ({ ...config, draft: null })
