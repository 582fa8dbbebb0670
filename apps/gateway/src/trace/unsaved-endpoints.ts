import type { UnsavedEndpoint } from '../messages/unsaved-messages.ts'

/** A signed request is sent at once; its header, and what it tries, is worth nothing after this time. */
export const lentMs = 10_000

/** Each may hold 256 KiB of custom output. */
const heldMax = 32

/** Definitions that are tried before they are saved. Each serves the one request that it came for, and no other. */
export class UnsavedEndpoints {
  readonly #held = new Map<string, { unsaved: UnsavedEndpoint; untilMs: number }>()

  /** For `lentMs`. Of more than 32, the oldest is dropped. */
  hold(unsaved: UnsavedEndpoint): void {
    this.#dropOld()
    this.#held.set(unsaved.trace_id, { unsaved, untilMs: performance.now() + lentMs })
    if (this.#held.size <= heldMax) return
    for (const oldest of this.#held.keys()) return void this.#held.delete(oldest)
  }

  /** Once; null where there is none, or it is too old. */
  take(traceId: string): UnsavedEndpoint | null {
    this.#dropOld()
    const held = this.#held.get(traceId)
    this.#held.delete(traceId)
    return held?.unsaved ?? null
  }

  #dropOld(): void {
    const nowMs = performance.now()
    for (const [id, { untilMs }] of this.#held) if (untilMs <= nowMs) this.#held.delete(id)
  }
}
