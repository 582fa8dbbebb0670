import type { SeenSignature } from '../../messages/shared-messages.ts'

/** Of one worker: about 60 MB. */
const rememberedMax = 500_000
/** Signatures of so many seconds are forgotten together. */
const groupSeconds = 16

/** The signatures of calls of one context. */
interface Memory {
  /** The longest time that a signature has counted there since the worker began. */
  longestSeconds: number
  /** Signatures made before are forgotten, at least in part. */
  forgottenToSeconds: number
  /** By when they were made, then by their clients. */
  readonly groups: Map<number, Map<string, Set<string>>>
}

/** A signature that is true, and whose it is. */
interface Signed {
  readonly mac: Buffer
  readonly createdSeconds: number
  /** What limits count its signer as. */
  readonly client: string
  /** Of the API that was called. */
  readonly context: string
  /** How long it counts there. */
  readonly windowSeconds: number
}

/**
 * The signatures that counted, of this worker and, a moment later, of the others of its server: each counts once. It
 * outlives snapshots. A client may have as many remembered as there is room left for all others, so none can
 * take the room of another.
 */
export class SeenSignatures {
  readonly #max: number
  readonly #memories = new Map<string, Memory>()
  /** How many are remembered of each client, and of all. */
  readonly #counts = new Map<string, number>()
  #count = 0
  #sweptSeconds = 0
  #unshared: SeenSignature[] = []

  constructor(max = rememberedMax) {
    this.#max = max
  }

  /**
   * `full`: the client has as many as can be remembered of it. `forgotten`: it was made so long ago that it may have
   * counted before, which happens only where the API has lengthened its time since.
   */
  take(signed: Signed, nowSeconds: number): 'new' | 'seen' | 'forgotten' | 'full' {
    const { client, context, mac, createdSeconds, windowSeconds } = signed
    if (this.#hasNoRoom(client)) this.#sweep(nowSeconds)
    if (this.#hasNoRoom(client)) return 'full'
    const memory = this.#memoryOf(context, windowSeconds)
    if (createdSeconds < memory.forgottenToSeconds) return 'forgotten'
    if (!this.#add(memory, client, mac.toString('latin1'), createdSeconds, nowSeconds))
      return 'seen'
    this.#unshared.push([
      mac.toString('base64'),
      createdSeconds,
      client,
      context,
      memory.longestSeconds,
    ])
    return 'new'
  }

  /** Those that have counted here since the last call. */
  drain(): SeenSignature[] {
    if (this.#unshared.length === 0) return []
    const drained = this.#unshared
    this.#unshared = []
    return drained
  }

  /** What counted at another worker counts no more here. What it lets in is bounded there. */
  absorb(seen: readonly SeenSignature[], nowSeconds: number): void {
    for (const [mac, created, client, context, windowSeconds] of seen) {
      const key = Buffer.from(mac, 'base64').toString('latin1')
      this.#add(this.#memoryOf(context, windowSeconds), client, key, created, nowSeconds)
    }
  }

  #hasNoRoom(client: string): boolean {
    return (this.#counts.get(client) ?? 0) >= this.#max - this.#count
  }

  #memoryOf(context: string, windowSeconds: number): Memory {
    let memory = this.#memories.get(context)
    if (memory === undefined) {
      memory = { longestSeconds: 0, forgottenToSeconds: 0, groups: new Map() }
      this.#memories.set(context, memory)
    }
    if (windowSeconds > memory.longestSeconds) memory.longestSeconds = windowSeconds
    return memory
  }

  #add(
    memory: Memory,
    client: string,
    key: string,
    createdSeconds: number,
    nowSeconds: number,
  ): boolean {
    const at = Math.floor(createdSeconds / groupSeconds)
    let group = memory.groups.get(at)
    if (group === undefined) {
      this.#forget(memory, nowSeconds)
      group = new Map()
      memory.groups.set(at, group)
    }
    let macs = group.get(client)
    if (macs === undefined) group.set(client, (macs = new Set()))
    if (macs.has(key)) return false
    macs.add(key)
    this.#counts.set(client, (this.#counts.get(client) ?? 0) + 1)
    this.#count++
    return true
  }

  /** At most once a second: a client that floods asks for it at each request. */
  #sweep(nowSeconds: number): void {
    if (Math.abs(nowSeconds - this.#sweptSeconds) < 1) return
    this.#sweptSeconds = nowSeconds
    for (const memory of this.#memories.values()) this.#forget(memory, nowSeconds)
  }

  #forget(memory: Memory, nowSeconds: number): void {
    for (const [at, group] of memory.groups) {
      const endSeconds = (at + 1) * groupSeconds
      if (endSeconds + memory.longestSeconds >= nowSeconds) continue
      memory.groups.delete(at)
      memory.forgottenToSeconds = Math.max(memory.forgottenToSeconds, endSeconds)
      for (const [client, macs] of group) this.#uncount(client, macs.size)
    }
  }

  #uncount(client: string, size: number): void {
    const left = (this.#counts.get(client) ?? 0) - size
    if (left > 0) this.#counts.set(client, left)
    else this.#counts.delete(client)
    this.#count -= size
  }
}
