import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Rounds } from '../../kernel/rounds.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { readRunWords } from './run-words.ts'
import { isFoundByBeginning } from './words/words-of-text.ts'

const everyMs = 1_000
/** Runs whose words one transaction writes: some milliseconds, so that runs do not wait. */
const atOnce = 50
/** Of each round, for runs from before the search. Runs that were changed are not made to wait for it. */
const oldRunsMs = 400
/** Words that are known to be in the table; it begins again when it is full. */
const knownMax = 200_000

export interface TextKeeperOptions {
  inTransaction: InTransaction
  /** On a connection for long reads. */
  longReads: Stores['search']
  log: Logger
  /** Lets one server do it at a time. */
  duty: {
    round(work: () => Promise<void>): Promise<void>
    hold(): Promise<boolean>
  }
}

/**
 * Reads the words of runs that were added or changed, a second after their commit, so that no run waits for
 * it. On several servers one does it at a time. What it has not done when it stops is in the database.
 */
export class TextKeeper {
  readonly #options: TextKeeperOptions
  readonly #rounds: Rounds
  readonly #known = new Set<string>()
  #isStopping = false

  constructor(options: TextKeeperOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      everyMs,
      work: () => this.#round(),
      log: options.log,
      failure: 'The words of runs could not be read for the search.',
    })
  }

  start(): void {
    this.#isStopping = false
    this.#rounds.start()
  }

  stop(): Promise<void> {
    this.#isStopping = true
    return this.#rounds.stop()
  }

  /** Reads all that was changed, and some of the runs from before. */
  look(): Promise<void> {
    this.#isStopping = false
    return this.#rounds.look()
  }

  async #round(): Promise<void> {
    const { longReads, duty } = this.#options
    const [todo] = await longReads.listTodo(1)
    const { below } = await longReads.progress()
    // A round without work writes nothing.
    if (!todo && below <= 1) return
    await duty.round(async () => {
      await this.#readChanged()
      if (below > 1) await this.#readOld(below)
    })
  }

  async #readChanged(): Promise<void> {
    const { longReads } = this.#options
    for (;;) {
      const todo = this.#isStopping ? [] : await longReads.listTodo(atOnce)
      if (todo.length === 0) return
      const runIds = [...new Set(todo.map(({ run_id }) => run_id))].toSorted((a, b) => a - b)
      await this.#write(runIds, (search) => search.removeTodo(todo.map(({ id }) => id)))
      if (!(await this.#options.duty.hold())) return
    }
  }

  async #readOld(from: number): Promise<void> {
    const { longReads } = this.#options
    const until = performance.now() + oldRunsMs
    let below = from
    while (below > 1 && !this.#isStopping && performance.now() < until) {
      const runIds = await longReads.listBelow(below, atOnce)
      const next = runIds[0] ?? 0
      await this.#write(runIds, (search) => search.setProgress(next))
      below = next
    }
  }

  /** Their words and what `also` writes, in one transaction. */
  async #write(runIds: readonly number[], also: (search: Stores['search']) => Promise<unknown>) {
    const { longReads, inTransaction } = this.#options
    const runs = await readRunWords(longReads, runIds)
    const found = new Set(runs.map(({ runId }) => runId))
    const gone = runIds.filter((id) => !found.has(id))
    const fresh = this.#unknownOf(runs.flatMap(({ words }) => words))
    await inTransaction(async ({ search, textIndex }) => {
      await search.addWords(fresh)
      await textIndex.put(runs)
      await textIndex.remove(gone)
      await also(search)
    })
    if (this.#known.size > knownMax) this.#known.clear()
    for (const word of fresh) this.#known.add(word)
    await nextTurn()
  }

  #unknownOf(words: readonly string[]): string[] {
    const fresh = words.filter((word) => !this.#known.has(word) && isFoundByBeginning(word))
    return [...new Set(fresh)].toSorted()
  }
}
