import type { KeptAnswer } from '../messages/kept-answer-messages.ts'

const keptMs = 5 * 60_000
/** Of all of them together, in base64: those of 48 MiB. */
const charactersMax = 64 * 1024 * 1024

interface Entry extends KeptAnswer {
  untilMs: number
}

/** Answers that agents fetch within five minutes. Where there is no room the oldest go. */
export class KeptAnswers {
  readonly #entries = new Map<string, Entry>()
  #characters = 0

  keep(id: string, answer: KeptAnswer, nowMs = performance.now()): void {
    this.#entries.set(id, { ...answer, untilMs: nowMs + keptMs })
    this.#characters += answer.data.length
    for (const [oldest, { untilMs }] of this.#entries) {
      if (untilMs > nowMs && this.#characters <= charactersMax) return
      this.#remove(oldest)
    }
  }

  /** Undefined: it is of another caller, or there no more. */
  find(id: string, owner: string, nowMs = performance.now()): KeptAnswer | undefined {
    const found = this.#entries.get(id)
    return found?.owner === owner && found.untilMs > nowMs ? found : undefined
  }

  #remove(id: string): void {
    this.#characters -= this.#entries.get(id)?.data.length ?? 0
    this.#entries.delete(id)
  }
}
