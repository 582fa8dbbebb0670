interface WatchdogOptions {
  /** Silent for longer, it is stuck. */
  limitMs: number
  ping: () => void
  onStuck: () => void
}

const looks = 30

/**
 * Notices that a process no longer answers. It counts its own looks, not time: while the machine, or this process
 * with the other, is frozen or gets no processor, there are none.
 */
export class Watchdog {
  readonly #timer: NodeJS.Timeout
  #unanswered = 0

  constructor({ limitMs, ping, onStuck }: WatchdogOptions) {
    this.#timer = setInterval(() => {
      if (this.#unanswered++ < looks) return ping()
      this.stop()
      onStuck()
    }, limitMs / looks)
  }

  answered(): void {
    this.#unanswered = 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
