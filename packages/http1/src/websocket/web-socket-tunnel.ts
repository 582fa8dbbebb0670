import type { SwitchedConnection } from '../switched-connection.ts'
import { WebSocketSide } from './web-socket-side.ts'
import type { SideWatcher } from './web-socket-side.ts'

export interface WebSocketBounds {
  /** No byte either way for so long closes it. */
  idleMs: number
  /** Null: it may stay open for as long as it is used. */
  lifeMs: number | null
  /** Of one message, over all of its frames, as it comes over the wire. */
  maxMessageBytes: number
}

/** Why a WebSocket has ended. `by`: who began. Code 1006: without a close frame (RFC 6455 §7.1.5). */
export interface WebSocketEnd {
  by: WebSocketSide['name'] | 'gateway'
  code: number
  /** What the gateway gave as its reason; blank where another began. */
  reason: string
}

/** What both sides are given to close once one of them has begun. */
const closingMs = 5_000

const tooLarge = 'message too large'

/**
 * A WebSocket that passes through: frames go both ways untouched, each side is read no faster than the other
 * takes them. `onEnd` is called once, when the client's connection is gone; `onGone` when both are.
 */
export class WebSocketTunnel implements SideWatcher {
  readonly client: WebSocketSide
  readonly upstream: WebSocketSide
  /** Why it ends; null: it is open. */
  end: WebSocketEnd | null = null
  readonly #bounds: WebSocketBounds
  readonly #openedAtMs = performance.now()
  readonly #onEnd: () => void
  readonly #onGone: () => void
  /** Sides to which the close frame is still to go. */
  readonly #unclosed = new Set<WebSocketSide>()
  #deadlineMs = Infinity
  #seenBytes = 0
  #movedAtMs = this.#openedAtMs

  constructor(
    client: SwitchedConnection,
    upstream: SwitchedConnection,
    bounds: WebSocketBounds,
    { onEnd, onGone }: { onEnd: () => void; onGone: () => void },
  ) {
    this.#bounds = bounds
    this.#onEnd = onEnd
    this.#onGone = onGone
    const { maxMessageBytes } = bounds
    this.client = new WebSocketSide('client', client.socket, maxMessageBytes, this)
    this.upstream = new WebSocketSide('upstream', upstream.socket, maxMessageBytes, this)
    this.upstream.start(upstream, this.client)
    this.client.start(client, this.upstream)
  }

  /** Closes it towards both sides, between two frames, and ends their connections 5 s later at most. */
  close(code: number, reason: string): void {
    if (this.end !== null) return
    this.#begin({ by: 'gateway', code, reason })
    for (const side of [this.client, this.upstream]) {
      this.#otherOf(side).reader.stop()
      this.#unclosed.add(side)
    }
    this.#closeSides()
  }

  /** Ends both connections at once. */
  destroy(): void {
    this.client.socket.destroy()
    this.upstream.socket.destroy()
  }

  /** To be called each second. */
  sweep(nowMs: number): void {
    if (nowMs > this.#deadlineMs) return this.destroy()
    if (this.end !== null) return
    const { idleMs, lifeMs } = this.#bounds
    const bytes = this.client.socket.bytesRead + this.upstream.socket.bytesRead
    if (bytes !== this.#seenBytes) {
      this.#seenBytes = bytes
      this.#movedAtMs = nowMs
    }
    if (nowMs - this.#movedAtMs > idleMs) this.close(1001, 'idle')
    else if (lifeMs !== null && nowMs - this.#openedAtMs > lifeMs) this.close(1001, 'open too long')
  }

  handlePassed(side: WebSocketSide): void {
    const { fault, closeCode } = side.reader
    if (fault !== null && this.end === null) this.#refuse(side, fault)
    else if (closeCode !== null) this.#handleCloseFrame(side, closeCode)
    if (this.#unclosed.size > 0) this.#closeSides()
  }

  handleEnd(side: WebSocketSide): void {
    this.#begin({ by: side.name, code: 1006, reason: '' })
    // What the other side has not taken yet still goes out.
    this.#otherOf(side).socket.end()
    side.socket.end()
  }

  handleClosed(side: WebSocketSide): void {
    this.#begin({ by: side.name, code: 1006, reason: '' })
    const other = this.#otherOf(side)
    if (!other.isClosed) other.socket.end()
    if (side === this.client) this.#onEnd()
    if (other.isClosed) this.#onGone()
  }

  /** The first cause counts. */
  #begin(end: WebSocketEnd): void {
    if (this.end !== null) return
    this.end = end
    this.#deadlineMs = performance.now() + closingMs
    // A side that was paused must be heard to the end.
    this.client.socket.resume()
    this.upstream.socket.resume()
  }

  /** A frame that may not pass: its sender is told why, and the other side that it is over. */
  #refuse(side: WebSocketSide, code: number): void {
    this.#begin({ by: side.name, code, reason: code === 1009 ? tooLarge : 'not a valid frame' })
    const other = this.#otherOf(side)
    other.reader.stop()
    other.sendClose(1001, 'the other side was refused')
    other.socket.end()
    this.#unclosed.add(side)
  }

  /** One side has closed: the other answers it, and then both connections end. */
  #handleCloseFrame(side: WebSocketSide, code: number): void {
    this.#begin({ by: side.name, code, reason: '' })
    if (this.#otherOf(side).reader.closeCode === null) return
    this.client.socket.end()
    this.upstream.socket.end()
  }

  /** A close frame goes between two frames: where one is under way, its end is awaited. */
  #closeSides(): void {
    const { end } = this
    if (end === null) return
    for (const side of this.#unclosed) {
      if (!this.#otherOf(side).reader.isBetween) continue
      this.#unclosed.delete(side)
      if (this.#otherOf(side).reader.closeCode === null) side.sendClose(end.code, end.reason)
      side.socket.end()
    }
  }

  #otherOf(side: WebSocketSide): WebSocketSide {
    return side === this.client ? this.upstream : this.client
  }
}
