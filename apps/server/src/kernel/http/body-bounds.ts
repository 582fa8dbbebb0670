import type { IncomingMessage } from 'node:http'

/** How long the body of a request may take to arrive. */
export interface BodyBounds {
  /** In any case. */
  graceMs: number
  /** Each that many bytes earn one second more. */
  minBytesPerSecond: number
  /** However fast it comes. */
  maxMs: number
}

/** Of every body that is not an upload. */
export const usualBounds: BodyBounds = {
  graceMs: 60_000,
  minBytesPerSecond: Infinity,
  maxMs: 60_000,
}

/** Of uploads: 200 MB arrive in time over a line of 1 Mbit/s. */
export const uploadBounds: BodyBounds = {
  graceMs: 60_000,
  minBytesPerSecond: 100_000,
  maxMs: 30 * 60_000,
}

const uploads = new WeakSet<IncomingMessage>()

/** Gives a request the time of an upload. Call it only once its caller was let in. */
export function allowUpload(message: IncomingMessage): void {
  uploads.add(message)
}

export const isUpload = (message: IncomingMessage): boolean => uploads.has(message)

/** The body of one request while it arrives, as regular looks see it. */
export class ArrivingBody {
  readonly #sinceMs: number
  #lookedMs: number
  /** How long the client could have sent and had not sent all. */
  #waitedMs = 0

  constructor(nowMs: number) {
    this.#sinceMs = nowMs
    this.#lookedMs = nowMs
  }

  /**
   * Whether it has had its time. `bytesRead` is what has arrived so far. While we don't read, because the
   * handler is busy, only `maxMs` counts.
   */
  isTooSlow(
    look: { nowMs: number; bytesRead: number; isRead: boolean },
    bounds: BodyBounds,
  ): boolean {
    const { nowMs, bytesRead, isRead } = look
    if (isRead) this.#waitedMs += nowMs - this.#lookedMs
    this.#lookedMs = nowMs
    if (nowMs - this.#sinceMs > bounds.maxMs) return true
    return this.#waitedMs > bounds.graceMs + (bytesRead / bounds.minBytesPerSecond) * 1_000
  }
}
