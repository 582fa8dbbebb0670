import { Worker } from 'node:worker_threads'
import type { LogAnswer, LogQuery } from './reading/answer-page.ts'
import type { ReadReply, ReadRequest } from './reading/log-worker.ts'

interface Waiting {
  resolve: (answer: LogAnswer | undefined) => void
  reject: (error: unknown) => void
  timer: NodeJS.Timeout
}

const heapMaxMb = 128
/** A thread without a question for this long is ended: it holds the indexes of what was read. */
const idleMs = 15 * 60_000
/** Longer than any answer takes: a thread that has not answered by then is stuck. */
const answerTimeoutMs = 30_000

/**
 * Asks the thread that reads logs. It is started when first needed, and again when a file has made
 * it fail: the calls under way then fail, and no other.
 */
export class LogReader {
  readonly #waiting = new Map<number, Waiting>()
  readonly #idle: NodeJS.Timeout
  #worker: Worker | undefined
  #lastId = 0
  #isInUse = false

  constructor() {
    this.#idle = setInterval(() => this.#endIdle(), idleMs).unref()
  }

  /** Starts the thread where it does not run yet, for a question that is about to come. */
  warmUp(): void {
    this.#worker ??= this.#start()
  }

  /** A page; undefined where the file is gone. Throws when the thread failed. */
  async read(query: LogQuery): Promise<LogAnswer | undefined> {
    const worker = (this.#worker ??= this.#start())
    const id = ++this.#lastId
    this.#isInUse = true
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void worker.terminate(), answerTimeoutMs)
      this.#waiting.set(id, { resolve, reject, timer })
      worker.postMessage({ id, query } satisfies ReadRequest)
    })
  }

  async close(): Promise<void> {
    clearInterval(this.#idle)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('reading/log-worker.ts', import.meta.url), {
      name: 'log-reader',
      resourceLimits: { maxOldGenerationSizeMb: heapMaxMb, maxYoungGenerationSizeMb: 8 },
    })
    let reason: unknown
    worker.on('message', (reply: ReadReply) => this.#settle(reply))
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
      this.#failAll(new Error('The thread that reads logs has ended.', { cause: reason }))
    })
    worker.unref()
    return worker
  }

  #endIdle(): void {
    if (!this.#isInUse && this.#waiting.size === 0) void this.#worker?.terminate()
    this.#isInUse = false
  }

  #settle(reply: ReadReply): void {
    const waiting = this.#waiting.get(reply.id)
    if (!waiting) return
    this.#waiting.delete(reply.id)
    clearTimeout(waiting.timer)
    if (reply.ok) waiting.resolve(reply.answer)
    else if (reply.isGone) waiting.resolve(undefined)
    else waiting.reject(reply.error)
  }

  #failAll(error: Error): void {
    for (const [id, waiting] of this.#waiting) {
      this.#waiting.delete(id)
      clearTimeout(waiting.timer)
      waiting.reject(error)
    }
  }
}
