import { Worker } from 'node:worker_threads'
import type { WorkerReply, WorkerRequest } from './answer-questions.ts'

interface Waiting<A> {
  resolve: (answer: A) => void
  reject: (error: unknown) => void
  timer: NodeJS.Timeout
}

interface WorkerLinkOptions {
  /** What the thread is called in diagnostics. */
  name: string
  /** Handed to the thread when it starts. */
  data?: unknown
  /** A question that takes longer ends the thread and fails. */
  timeoutMs: number
  /** A thread without a question for this long is ended. */
  idleMs?: number
}

const idleMsByDefault = 10 * 60_000

/**
 * Asks a worker thread, so that long work does not hold up the server. The file has to call
 * `answerQuestions`. The thread starts with the first question, and again after it died; the
 * questions under way then fail. It never keeps the process alive.
 */
export class WorkerLink<Q, A> {
  readonly #file: URL
  readonly #options: WorkerLinkOptions
  readonly #waiting = new Map<number, Waiting<A>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0
  #isClosed = false

  constructor(file: URL, options: WorkerLinkOptions) {
    this.#file = file
    this.#options = options
  }

  /** The answer. Throws what the thread threw, or that the thread has ended. */
  async ask(question: Q): Promise<A> {
    if (this.#isClosed) throw new Error(`The thread ${this.#options.name} is closed.`)
    const worker = (this.#worker ??= this.#start())
    clearTimeout(this.#idle)
    const id = ++this.#lastId
    return new Promise<A>((resolve, reject) => {
      const timer = setTimeout(() => void worker.terminate(), this.#options.timeoutMs)
      this.#waiting.set(id, { resolve, reject, timer })
      worker.postMessage({ id, question } satisfies WorkerRequest<Q>)
    })
  }

  /** Ends the thread for good; questions under way fail, and so do later ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const { name, data } = this.#options
    const worker = new Worker(this.#file, { name, workerData: data })
    let reason: unknown
    worker.on('message', (reply: WorkerReply<A>) => this.#settle(reply))
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#failAll(new Error(`The thread ${name} has ended.`, { cause: reason }))
    })
    worker.unref()
    return worker
  }

  #settle(reply: WorkerReply<A>): void {
    const waiting = this.#waiting.get(reply.id)
    if (!waiting) return
    this.#waiting.delete(reply.id)
    clearTimeout(waiting.timer)
    if (this.#waiting.size === 0) this.#endWhenIdle()
    if (reply.ok) waiting.resolve(reply.answer)
    else waiting.reject(reply.error)
  }

  #endWhenIdle(): void {
    const worker = this.#worker
    this.#idle = setTimeout(
      () => void worker?.terminate(),
      this.#options.idleMs ?? idleMsByDefault,
    ).unref()
  }

  #failAll(error: Error): void {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      reject(error)
    }
    this.#waiting.clear()
  }
}
