import type { TrafficPolicy } from '@gatehouse/contract/gateway'
import type { Targets } from './targets.ts'

type Settings = NonNullable<NonNullable<TrafficPolicy['targets']>['health_check']>

/** Checks under way at once in one process; more wait their turn. */
export const maxChecksAtOnce = 32

export interface HealthCheckTools {
  /** True where the address answered in time, and well. Never throws. */
  probe: (baseUrl: string, path: string, timeoutMs: number) => Promise<boolean>
  /** Calls back after `delayMs`. Returns a function that cancels it. */
  schedule: (callback: () => void, delayMs: number) => () => void
  random: () => number
}

/**
 * Asks each target of an API for a path at intervals. Takes a target out after a number of failures
 * in a row, and back in after a number of successes. Until the first answers it counts as up. The
 * pauses vary by a tenth, so that the workers and gateways do not all ask at once. Ends with `stop`.
 */
export class HealthChecks {
  readonly #settings: Settings
  readonly #targets: Targets
  readonly #tools: HealthCheckTools
  readonly #cancels = new Map<string, () => void>()
  #isStopped = false

  constructor(settings: Settings, targets: Targets, tools: HealthCheckTools) {
    this.#settings = settings
    this.#targets = targets
    this.#tools = tools
    for (const baseUrl of new Set(targets.baseUrls)) {
      // The first one soon: a target that is down should not get calls for a whole interval.
      this.#plan(baseUrl, 0, tools.random() * Math.min(1_000, settings.interval_seconds * 1_000))
    }
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#cancels.values()) cancel()
    this.#cancels.clear()
  }

  #plan(baseUrl: string, streak: number, delayMs: number) {
    const cancel = this.#tools.schedule(() => void this.#check(baseUrl, streak), delayMs)
    this.#cancels.set(baseUrl, cancel)
  }

  /** `streak`: answers in a row that contradict the target's state. */
  async #check(baseUrl: string, streak: number) {
    const { path, timeout_ms, interval_seconds, healthy_after, unhealthy_after } = this.#settings
    const isWell = await this.#tools.probe(baseUrl, path, timeout_ms)
    if (this.#isStopped) return
    const wasHealthy = this.#targets.isHealthy(baseUrl)
    let next = isWell === wasHealthy ? 0 : streak + 1
    if (next >= (wasHealthy ? unhealthy_after : healthy_after)) {
      this.#targets.setHealthy(baseUrl, isWell)
      next = 0
    }
    const pauseMs = interval_seconds * 1_000 * (0.9 + this.#tools.random() * 0.2)
    this.#plan(baseUrl, next, pauseMs)
  }
}

/** Runs at most `max` of the given tasks at once; the others wait in line. */
export function limitAtOnce(max: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      // The place goes straight to the next task in line: a new one must not take it first.
      if (next) next()
      else running--
    }
  }
}
