import type { TrafficPolicy } from '@gatehouse/contract/gateway'

type Settings = NonNullable<TrafficPolicy['circuit_breaker']>

/** The window moves in this many steps. */
const steps = 10

type Admission =
  | { isAdmitted: true; isTrial: boolean }
  | { isAdmitted: false; retryAfterSeconds: number }

const admitted: Admission = { isAdmitted: true, isTrial: false }
const trial: Admission = { isAdmitted: true, isTrial: true }

/**
 * Stops calls to an upstream that mostly fails. Closed, it counts; where enough calls were made in
 * the window and the share of failures is reached, it opens and refuses for the cool-down. Then
 * one call is let through to try: it closes the breaker, or opens it for another cool-down.
 *
 * A caller that is admitted reports back exactly once: `succeeded`, `failed`, or `abandoned` where the
 * call says nothing about the upstream (the client left).
 */
export class CircuitBreaker {
  readonly #settings: Settings
  readonly #stepMs: number
  readonly #calls = new Uint32Array(steps)
  readonly #failures = new Uint32Array(steps)
  #step = 0
  /** 0 while closed. */
  #openUntilMs = 0
  /** When it opened first since it was closed; a trial that fails does not change it. */
  #openedAtMs = 0
  #hasTrial = false

  constructor(settings: Settings) {
    this.#settings = settings
    this.#stepMs = (settings.window_seconds * 1_000) / steps
  }

  state(nowMs: number): 'closed' | 'open' | 'half-open' {
    if (this.#openUntilMs === 0) return 'closed'
    return nowMs < this.#openUntilMs ? 'open' : 'half-open'
  }

  /** How long no call has succeeded since it opened; null while it is closed. */
  openForMs(nowMs: number): number | null {
    return this.#openUntilMs === 0 ? null : Math.max(0, nowMs - this.#openedAtMs)
  }

  admit(nowMs: number): Admission {
    if (this.#openUntilMs === 0) return admitted
    const leftMs = this.#openUntilMs - nowMs
    if (leftMs > 0 || this.#hasTrial) {
      return { isAdmitted: false, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) }
    }
    this.#hasTrial = true
    return trial
  }

  succeeded(isTrial: boolean, nowMs: number): void {
    if (isTrial) this.#close()
    else if (this.#openUntilMs === 0) this.#count(0, nowMs)
  }

  failed(isTrial: boolean, nowMs: number): void {
    if (isTrial) return this.#open(nowMs)
    // Calls that were under way when it opened say nothing new.
    if (this.#openUntilMs !== 0) return
    this.#count(1, nowMs)
    const { failure_percent, minimum_requests } = this.#settings
    const calls = sum(this.#calls)
    const isMostlyFailing = sum(this.#failures) * 100 >= failure_percent * calls
    if (calls >= minimum_requests && isMostlyFailing) this.#open(nowMs)
  }

  abandoned(isTrial: boolean): void {
    if (isTrial) this.#hasTrial = false
  }

  #open(nowMs: number) {
    if (this.#openUntilMs === 0) this.#openedAtMs = nowMs
    this.#openUntilMs = nowMs + this.#settings.cool_down_seconds * 1_000
    this.#hasTrial = false
  }

  #close() {
    this.#openUntilMs = 0
    this.#hasTrial = false
    this.#calls.fill(0)
    this.#failures.fill(0)
  }

  #count(failures: 0 | 1, nowMs: number) {
    const step = Math.floor(nowMs / this.#stepMs)
    const passed = Math.min(steps, step - this.#step)
    for (let back = 0; back < passed; back++) {
      this.#calls[(step - back) % steps] = 0
      this.#failures[(step - back) % steps] = 0
    }
    this.#step = Math.max(step, this.#step)
    const slot = this.#step % steps
    this.#calls[slot] = (this.#calls[slot] ?? 0) + 1
    this.#failures[slot] = (this.#failures[slot] ?? 0) + failures
  }
}

function sum(counts: Uint32Array): number {
  let total = 0
  for (const count of counts) total += count
  return total
}

/** Statuses of an upstream that can't serve, as against one that refuses. */
export const isFailureStatus = (status: number): boolean =>
  status === 500 || status === 502 || status === 503 || status === 504
