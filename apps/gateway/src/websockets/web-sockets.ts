import type { WebSocketTunnel } from '@gatehouse/http1'
import type { WebSocketReport } from '../messages/report-messages.ts'
import type { CompiledEndpoint, CompiledSnapshot } from '../snapshot/compile-snapshot.ts'
import type { Caller } from '../callers/caller.ts'
import { restarting } from './end-of-web-socket.ts'
import { expiry, recheck } from './recheck-web-socket.ts'
import type { Held } from './recheck-web-socket.ts'
import type { WebSocketRequest } from './web-socket-request.ts'

/** A request that has become a WebSocket. */
interface Owner extends Held {
  readonly webSocket: WebSocketRequest | null
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
    for (const owner of this.#open) {
      const tunnel = owner.webSocket?.tunnel
      const expired = expiry(owner, dateMs)
      if (expired !== null) tunnel?.close(expired.code, expired.reason)
      tunnel?.sweep(nowMs)
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
      const next = recheck(owner, snapshot, tokens)
      if ('code' in next) tunnel?.close(next.code, next.reason)
      else
        owner.moveTo(
          snapshot,
          next.endpoint,
          tokens.get(owner.caller?.tokenId ?? 0) ?? owner.caller,
        )
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
