interface Waiting<T> {
  isChange: boolean
  sinceMs: number
  give: (given: T) => void
  refuse: (error: Error) => void
}

/** Calls that wait for a connection, the first one first. */
export class WaitingCalls<T> {
  #all: Waiting<T>[] = []

  get count(): number {
    return this.#all.length
  }

  /** Rejects with the error of `late` after `maxMs`. */
  wait(options: { isChange: boolean; maxMs: number; late: () => Error }): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const settled = () => {
      clearTimeout(timer)
      this.#all = this.#all.filter((each) => each !== waiting)
    }
    const waiting: Waiting<T> = {
      isChange: options.isChange,
      sinceMs: performance.now(),
      give: (given) => {
        settled()
        resolve(given)
      },
      refuse: (error) => {
        settled()
        reject(error)
      },
    }
    const timer = setTimeout(() => waiting.refuse(options.late()), options.maxMs)
    this.#all.push(waiting)
    return promise
  }

  /** Those that may have a connection now, with no more changes than this. */
  ready(changesMax: number): Waiting<T>[] {
    let left = changesMax
    return this.#all.filter(({ isChange }) => !isChange || left-- > 0)
  }

  refuseFirst(error: Error): void {
    this.#all[0]?.refuse(error)
  }

  /** Those that have waited since then. */
  refuseAll(error: Error, sinceMs = Infinity): void {
    for (const each of this.#all) if (each.sinceMs <= sinceMs) each.refuse(error)
  }
}
