type Listener = () => void

/** Notifies the followers of a run after a commit. Within this process only. */
export class RunFeed {
  readonly #listeners = new Map<number, Set<Listener>>()

  changed(runId: number): void {
    for (const listener of this.#listeners.get(runId) ?? []) listener()
  }

  /** Returns a function that ends the listening. */
  follow(runId: number, listener: Listener): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set()
    this.#listeners.set(runId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(runId)
    }
  }
}
