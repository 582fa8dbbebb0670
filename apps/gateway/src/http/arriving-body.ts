import type { UploadBounds } from '../messages/worker-settings.ts'

/** A request whose body arrives. */
export interface Arriving {
  /** The rest of its body is being read as it comes. */
  readonly isBodyAwaited: boolean
}

/** The body of one request while it arrives, as a look each second sees it. */
export class ArrivingBody {
  readonly of: Arriving
  readonly #sinceMs: number
  readonly #bytesBefore: number
  #lookedMs: number
  /** How long the client could have sent and had not sent all. */
  #waitedMs = 0

  constructor(of: Arriving, nowMs: number, bytesRead: number) {
    this.of = of
    this.#sinceMs = nowMs
    this.#lookedMs = nowMs
    this.#bytesBefore = bytesRead
  }

  /** Whether it has had its time. While we don't read, because an upstream is slow, only `maxMs` counts. */
  isTooSlow(nowMs: number, bytesRead: number, bounds: UploadBounds): boolean {
    if (this.of.isBodyAwaited) this.#waitedMs += nowMs - this.#lookedMs
    this.#lookedMs = nowMs
    if (nowMs - this.#sinceMs > bounds.maxMs) return true
    const earnedMs = ((bytesRead - this.#bytesBefore) / bounds.minBytesPerSecond) * 1_000
    return this.#waitedMs > bounds.graceMs + earnedMs
  }
}
