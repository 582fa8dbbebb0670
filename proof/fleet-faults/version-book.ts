import type { FleetNode } from './fleet-node.ts'

interface Change {
  number: number
  beganMs: number
  /** When it was answered as in force; undefined: it was not, and nobody knows what became of it. */
  doneMs: number | undefined
}

/** A request, and what its gateway had shown before it was sent: -1 where it had shown nothing. */
export interface Answered {
  by: FleetNode
  sentMs: number
  shownBefore: number
}

/** What one operator changed, one change after the other, and what gateways may answer therefore. */
export class VersionBook {
  readonly #changes: Change[] = []
  /** Changes are with every gateway in contact after this. */
  readonly promisedMs: number

  constructor(promisedMs: number) {
    this.promisedMs = promisedMs
  }

  /** The number that the next change writes. */
  begin(): number {
    const number = this.#changes.length
    this.#changes.push({ number, beganMs: performance.now(), doneMs: undefined })
    return number
  }

  done(number: number): void {
    this.#changes[number]!.doneMs = performance.now()
  }

  isDone(number: number): boolean {
    return this.#changes[number]?.doneMs !== undefined
  }

  /** The last one that was answered as in force, -1 where there is none. */
  get last(): number {
    return this.#changes.findLast(({ doneMs }) => doneMs !== undefined)?.number ?? -1
  }

  get size(): number {
    return this.#changes.length
  }

  /** A standby has taken over without what was done since then: nobody knows what became of it. */
  forgetSince(moment: number): void {
    for (const change of this.#changes)
      if (change.doneMs !== undefined && change.doneMs >= moment) change.doneMs = undefined
  }

  /**
   * What is wrong with an answer that showed this number; undefined: nothing. Whatever no answer told the operator
   * about may come at any time.
   */
  faultOf(number: number, { by, sentMs, shownBefore }: Answered): string | undefined {
    const shown = this.#changes[number]
    if (!shown) return `${number} was never written`
    if (shown.doneMs === undefined) return undefined
    if (number < shownBefore && this.isDone(shownBefore))
      return `${number} was answered after ${shownBefore} was`
    const { contactSinceMs } = by
    if (contactSinceMs === undefined || sentMs - contactSinceMs <= this.promisedMs) return undefined
    const due = this.#changes.findLast(
      ({ doneMs }) => doneMs !== undefined && sentMs - doneMs > this.promisedMs,
    )
    return due && due.number > number
      ? `${number} was answered ${Math.round(sentMs - due.doneMs!)} ms after ${due.number} was in force`
      : undefined
  }
}
