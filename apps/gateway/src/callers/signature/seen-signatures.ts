import type { SeenSignature } from '../../messages/shared-messages.ts'

/** Of one worker: about 60 MB. */
const rememberedMax = 500_000
/** Signatures of so many seconds are forgotten together. */
const groupSeconds = 16

interface Group {
  readonly macs: Set<string>
  /** Until the last of them has ceased to count. */
  untilSeconds: number
}

/**
 * The signatures that counted, of this worker and, a moment later, of the others of its server: each counts once. It
 * outlives snapshots.
 */
export class SeenSignatures {
  /** By when they were made. */
  readonly #groups = new Map<number, Group>()
  #count = 0
  #unshared: SeenSignature[] = []

  /** `full`: there are more than can be remembered, so that none may count. */
  take(
    mac: Buffer,
    createdSeconds: number,
    untilSeconds: number,
    nowSeconds: number,
  ): 'new' | 'seen' | 'full' {
    if (this.#count >= rememberedMax) this.#forget(nowSeconds)
    if (this.#count >= rememberedMax) return 'full'
    const key = mac.toString('latin1')
    if (!this.#add(key, createdSeconds, untilSeconds, nowSeconds)) return 'seen'
    this.#unshared.push([mac.toString('base64'), createdSeconds, untilSeconds])
    return 'new'
  }

  /** Those that have counted here since the last call. */
  drain(): SeenSignature[] {
    if (this.#unshared.length === 0) return []
    const drained = this.#unshared
    this.#unshared = []
    return drained
  }

  /** What counted at another worker counts no more here. */
  absorb(seen: readonly SeenSignature[], nowSeconds: number): void {
    for (const [mac, created, until] of seen) {
      if (this.#count >= rememberedMax) return
      this.#add(Buffer.from(mac, 'base64').toString('latin1'), created, until, nowSeconds)
    }
  }

  #add(key: string, createdSeconds: number, untilSeconds: number, nowSeconds: number): boolean {
    const at = Math.floor(createdSeconds / groupSeconds)
    let group = this.#groups.get(at)
    if (group === undefined) {
      this.#forget(nowSeconds)
      group = { macs: new Set(), untilSeconds }
      this.#groups.set(at, group)
    }
    if (group.macs.has(key)) return false
    group.macs.add(key)
    group.untilSeconds = Math.max(group.untilSeconds, untilSeconds)
    this.#count++
    return true
  }

  #forget(nowSeconds: number): void {
    for (const [at, { macs, untilSeconds }] of this.#groups) {
      if (untilSeconds >= nowSeconds) continue
      this.#groups.delete(at)
      this.#count -= macs.size
    }
  }
}
