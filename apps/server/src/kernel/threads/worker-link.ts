import { AppError } from '../app-error.ts'
import {
  QuestionThread,
  startTimeoutMsByDefault,
  type Asked,
  type ThreadOptions,
} from './question-thread.ts'
import { ThreadEnded } from './thread-ended.ts'

export interface WorkerLinkOptions extends ThreadOptions {
  /** How many questions may wait; further ones are refused with a 429. */
  queueMax: number
  /** How many questions the thread works on at once; more than one only where it waits for a disk. */
  atOnce?: number
  /** A thread without a question for this long is ended. */
  idleMs?: number
}

const idleMsByDefault = 10 * 60_000
/** A thread gives back what it holds only by its end: one that holds more does not stay without a question. */
const idleHeapMaxBytes = 96 * 1024 * 1024
/** A thread in a native call ends only after that call: further threads wait until one is gone. */
const endingMax = 2

/**
 * Asks a worker thread, so that long work does not hold up the server: the one kind of thread in it. The
 * file has to call `answerQuestions`. The thread starts with the first question, stays for the next ones,
 * and is started again after it ended. A question that takes too much time or memory fails alone: those
 * that wait go to the next thread. It keeps the process alive only while a question is open. A thread that
 * large questions have made large ends once no further one waits.
 */
export class WorkerLink<Q, A> {
  readonly #file: URL
  readonly #options: WorkerLinkOptions
  readonly #waiting: Asked<Q, A>[] = []
  readonly #ending = new Set<QuestionThread<Q, A>>()
  #thread: QuestionThread<Q, A> | undefined
  #idle: NodeJS.Timeout | undefined
  /** While no thread may start. */
  #stuck: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(file: URL, options: WorkerLinkOptions) {
    this.#file = file
    this.#options = options
  }

  /**
   * The answer. Throws what the thread threw, `ThreadEnded` where it gave no answer, and a 429 while too
   * many questions wait. `onCall` does what the thread asks for meanwhile.
   */
  async ask(question: Q, onCall?: (what: never) => Promise<unknown>): Promise<A> {
    const { name, queueMax, atOnce = 1 } = this.#options
    if (this.#isClosed) throw new ThreadEnded(name, 'closed')
    const free = Math.max(0, atOnce - (this.#thread?.load ?? 0))
    if (this.#waiting.length >= queueMax + free)
      throw new AppError('server.busy', { retryAfterSeconds: 2 })
    return new Promise<A>((resolve, reject) => {
      this.#waiting.push({ question, onCall, resolve, reject, attempts: 0 })
      this.#handOut()
    })
  }

  /** Starts the thread where none runs, for a question that is about to come. */
  warmUp(): void {
    if (!this.#isClosed) this.#start()
  }

  /** Ends the thread for good; questions under way fail, and so do later ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    clearTimeout(this.#stuck)
    const threads = [...this.#ending, ...(this.#thread ? [this.#thread] : [])]
    this.#failWaiting(new ThreadEnded(this.#options.name, 'closed'))
    this.#thread?.end('closed')
    await Promise.all(threads.map(({ exited }) => exited))
  }

  #handOut(): void {
    clearTimeout(this.#idle)
    if (this.#waiting.length > 0) this.#start()
    const thread = this.#thread
    if (!thread) return
    const { atOnce = 1 } = this.#options
    while (thread.load !== undefined && thread.load < atOnce) {
      const next = this.#waiting.shift()
      if (!next) break
      thread.take(next)
    }
    const isIdle = this.#waiting.length === 0 && !thread.load
    thread.keepsProcess(!isIdle)
    if (!isIdle) return
    if (thread.heapBytes > idleHeapMaxBytes) thread.end('closed')
    else this.#endWhenIdle(thread)
  }

  #start(): void {
    if (this.#thread) return
    if (this.#ending.size >= endingMax) return this.#waitForEnd()
    clearTimeout(this.#stuck)
    this.#stuck = undefined
    try {
      const thread: QuestionThread<Q, A> = new QuestionThread(this.#file, this.#options, {
        onFree: () => this.#handOut(),
        onEnd: ({ unbegun, hasStarted, error }) => {
          this.#leave(thread)
          this.#waiting.unshift(...unbegun)
          if (!hasStarted || this.#isClosed) this.#failWaiting(error)
          this.#handOut()
        },
      })
      this.#thread = thread
    } catch (error) {
      this.#failWaiting(new ThreadEnded(this.#options.name, 'start', error))
    }
  }

  #waitForEnd(): void {
    const { name, startTimeoutMs = startTimeoutMsByDefault } = this.#options
    this.#stuck ??= setTimeout(() => {
      this.#stuck = undefined
      this.#failWaiting(new ThreadEnded(name, 'start'))
    }, startTimeoutMs)
  }

  /** The next question goes to another thread, from now on. */
  #leave(thread: QuestionThread<Q, A>): void {
    if (this.#thread === thread) this.#thread = undefined
    this.#ending.add(thread)
    void thread.exited.then(() => {
      this.#ending.delete(thread)
      this.#handOut()
    })
  }

  #endWhenIdle(thread: QuestionThread<Q, A>): void {
    const idleMs = this.#options.idleMs ?? idleMsByDefault
    this.#idle = setTimeout(() => thread.end('closed'), idleMs).unref()
  }

  #failWaiting(error: ThreadEnded): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}
