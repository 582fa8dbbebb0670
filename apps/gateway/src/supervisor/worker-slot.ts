import type { WorkerProcess } from './worker-process.ts'

interface WorkerSlotOptions {
  id: number
  /** Forks a process for the slot and sends it its settings. */
  start: () => WorkerProcess
  /** A process has ended although it was not asked to. */
  onDeath: (after: { livedMs: number; restartMs: number }) => void
}

const stableMs = 10_000
const firstRestartMs = 50
const longestRestartMs = 30_000

/** The place of one worker: keeps a process in it, starts another when it dies, swaps it on request. */
export class WorkerSlot {
  readonly id: number
  restarts = 0
  /** The one that serves, or is about to. */
  process: WorkerProcess
  readonly #options: WorkerSlotOptions
  /** Started to take its place; it does once it is ready. */
  #successor: WorkerProcess | undefined
  /** Deaths in a row, each soon after its start. */
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false
  readonly #draining = new Set<Promise<void>>()

  constructor(options: WorkerSlotOptions) {
    this.id = options.id
    this.#options = options
    this.process = this.#start()
  }

  /** Those that take configurations. */
  get processes(): WorkerProcess[] {
    return [this.process, ...(this.#successor ? [this.#successor] : [])].filter(
      ({ state }) => state === 'starting' || state === 'serving',
    )
  }

  /**
   * Starts another process, which takes the place of the one before once it listens; that one finishes
   * meanwhile (`drained`). False when the new one did not come up within the time; then the old one stays.
   */
  async replace(readyMaxMs: number): Promise<boolean> {
    if (this.#isStopped) return false
    const successor = this.#options.start()
    this.#successor = successor
    const timer = setTimeout(() => successor.kill(), readyMaxMs)
    const isReady = await successor.ready
    clearTimeout(timer)
    this.#successor = undefined
    if (!isReady || this.#isStopped) {
      await successor.drain()
      return false
    }
    clearTimeout(this.#timer)
    const before = this.process
    this.process = successor
    this.#failures = 0
    this.#watch(successor)
    const draining = before.drain().finally(() => this.#draining.delete(draining))
    this.#draining.add(draining)
    return true
  }

  /** Settles when those that were replaced have ended. */
  async drained(): Promise<void> {
    await Promise.all(this.#draining)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await Promise.all([this.process.drain(), this.#successor?.drain(), this.drained()])
  }

  #start(): WorkerProcess {
    const started = this.#options.start()
    this.#watch(started)
    return started
  }

  #watch(process: WorkerProcess): void {
    void process.ended.then(() => {
      if (this.#isStopped || this.process !== process) return
      const { livedMs } = process
      this.#failures = livedMs < stableMs ? this.#failures + 1 : 1
      const restartMs = backoffMs(this.#failures)
      this.restarts++
      this.#options.onDeath({ livedMs, restartMs })
      this.#timer = setTimeout(() => {
        this.process = this.#start()
      }, restartMs)
    })
  }
}

/**
 * At once after the first death, then twice as long each time, with a share of chance so that workers
 * that die together come back apart.
 */
function backoffMs(failures: number): number {
  const longest = Math.min(firstRestartMs * 2 ** (failures - 1), longestRestartMs)
  return longest * (0.5 + Math.random() / 2)
}
