import { randomUUID } from 'node:crypto'
import type {
  AnswerKeptMessage,
  AnswerWantedMessage,
  KeptAnswer,
} from '../messages/kept-answer-messages.ts'
import { KeptAnswers } from './kept-answers.ts'

type Found = (answer: KeptAnswer | undefined) => void
/** The supervisor answers at once; one that has ended does not. */
const answerMaxMs = 10_000

/**
 * Has answers of bytes kept for all workers: by the supervisor, or here where there is none. Each is found by its id
 * and its owner.
 */
export class AnswerKeeper {
  readonly #tell: ((message: AnswerKeptMessage | AnswerWantedMessage) => void) | undefined
  readonly #own = new KeptAnswers()
  readonly #waiting = new Map<string, Set<Found>>()

  constructor(tell: ((message: AnswerKeptMessage | AnswerWantedMessage) => void) | undefined) {
    this.#tell = tell
  }

  /** Returns the id by which it is fetched, which can't be guessed. */
  keep(answer: KeptAnswer): string {
    const id = randomUUID()
    if (this.#tell) this.#tell({ type: 'answer-kept', id, answer })
    else this.#own.keep(id, answer)
    return id
  }

  /** Calls back once, later. */
  find(id: string, owner: string, found: Found): void {
    if (!this.#tell) {
      setImmediate(() => found(this.#own.find(id, owner)))
      return
    }
    const key = `${id} ${owner}`
    const waiting = this.#waiting.get(key) ?? new Set()
    const timer = setTimeout(() => once(undefined), answerMaxMs)
    const once: Found = (answer) => {
      clearTimeout(timer)
      if (!waiting.delete(once)) return
      found(answer)
    }
    this.#waiting.set(key, waiting.add(once))
    if (waiting.size === 1) this.#tell({ type: 'answer-wanted', id, owner })
  }

  settle(id: string, owner: string, answer: KeptAnswer | undefined): void {
    const key = `${id} ${owner}`
    const waiting = this.#waiting.get(key)
    this.#waiting.delete(key)
    for (const found of waiting ?? []) found(answer)
  }
}
