import { fork, type ChildProcess, type SendHandle } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { linkDescriptor, type FromPart, type PartName, type ToPart } from './part-messages.ts'
import { Watchdog } from './watchdog.ts'

interface KeptPartOptions {
  name: PartName
  file: URL
  /** A process of it was forked, and waits for its `start`. */
  onFork: (part: KeptPart, link: Duplex) => void
  onMessage: (message: FromPart, handle: unknown) => void
  onEnd: (end: PartDeath) => void
}

/** How a process of a part ended that was not asked to. */
export interface PartDeath {
  reason: string
  /** Null: a signal ended it. */
  code: number | null
  /** No process of this part has done its work so far. */
  isFirst: boolean
  /** After this pause it is started again, unless it is stopped. */
  pauseMs: number
}

const firstPauseMs = 200
const longestPauseMs = 30_000
/** A process that did its work for that long has not failed to start. */
const stableMs = 10_000

/** Keeps one part of the server: starts its process again where it has ended, and kills one that is stuck. */
export class KeptPart {
  readonly #options: KeptPartOptions
  #child: ChildProcess | undefined
  #watchdog: Watchdog | undefined
  #pause: NodeJS.Timeout | undefined
  #upSinceMs: number | undefined
  #hasBeenUp = false
  #wasStuck = false
  /** Ends in a row, each soon after its start. */
  #failures = 0
  #stopping: PromiseWithResolvers<number> | undefined

  constructor(options: KeptPartOptions) {
    this.#options = options
    this.#fork()
  }

  get isUp(): boolean {
    return this.#upSinceMs !== undefined
  }

  tell(message: ToPart, handle?: SendHandle): void {
    // If it ends while this is sent, its `exit` reports it.
    if (this.#child?.connected) this.#child.send(message, handle, {}, () => {})
  }

  /** Settles with 0 when its process has finished its work and ended, and with 1 where it ended otherwise. */
  stop(isUrgent: boolean): Promise<number> {
    if (!this.#stopping) {
      this.#stopping = Promise.withResolvers()
      clearTimeout(this.#pause)
      if (this.#child) this.tell({ type: 'stop', isUrgent })
      else this.#stopping.resolve(0)
    }
    return this.#stopping.promise
  }

  #fork(): void {
    const child = fork(this.#options.file, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
    })
    this.#child = child
    this.#wasStuck = false
    child.on('message', (message: FromPart, handle) => this.#receive(message, handle))
    child.once('exit', (code, signal) => this.#handleExit(code, signal))
    child.on('error', (error) => {
      // It could not be forked.
      if (child.pid === undefined) this.#handleExit(null, null, error.message)
    })
    this.#options.onFork(this, child.stdio[linkDescriptor] as Duplex)
  }

  #receive(message: FromPart, handle: unknown): void {
    // `node --watch`, which has started us, learns which files the parts have loaded.
    if (!('type' in message)) process.send?.(message)
    if (message.type === 'pong') this.#watchdog?.answered()
    if (message.type === 'up') {
      this.#upSinceMs ??= performance.now()
      this.#hasBeenUp = true
      // Not before: a start may change a large database, and is busy with that alone.
      this.#watchdog ??= new Watchdog({
        limitMs: message.watchdogMs,
        ping: () => this.tell({ type: 'ping' }),
        onStuck: () => {
          this.#wasStuck = true
          this.#child?.kill('SIGKILL')
        },
      })
    }
    this.#options.onMessage(message, handle)
  }

  #handleExit(code: number | null, signal: NodeJS.Signals | null, problem?: string): void {
    const upMs = this.#upSinceMs === undefined ? 0 : performance.now() - this.#upSinceMs
    this.#watchdog?.stop()
    this.#watchdog = this.#child = this.#upSinceMs = undefined
    if (this.#stopping) return this.#stopping.resolve(code === 0 ? 0 : 1)
    this.#failures = upMs < stableMs ? this.#failures + 1 : 1
    const pauseMs = Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs)
    this.#pause = setTimeout(() => this.#fork(), pauseMs)
    const reason = problem ?? reasonOf(code, signal, this.#wasStuck)
    this.#options.onEnd({ reason, code, isFirst: !this.#hasBeenUp, pauseMs })
  }
}

/** Node ends itself by SIGABRT (exit code 134 where a shell says it) when its heap is full. */
function reasonOf(code: number | null, signal: NodeJS.Signals | null, wasStuck: boolean): string {
  if (wasStuck) return 'it did not answer any more and was killed'
  if (signal === 'SIGABRT' || code === 134) return 'SIGABRT: its heap was full'
  if (signal === 'SIGKILL') return 'SIGKILL, which the system sends when memory runs out'
  return signal ?? `exit code ${code}`
}
