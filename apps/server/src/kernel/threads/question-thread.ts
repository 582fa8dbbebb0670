import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { WorkerReply, WorkerRequest } from './answer-questions.ts'
import { ThreadEnded, type ThreadEnd } from './thread-ended.ts'
import { watchWork } from './work-watch.ts'

export interface ThreadOptions {
  /** What the thread is called in diagnostics. */
  name: string
  /** Handed to the thread when it starts. */
  data?: unknown
  /** A question that takes longer ends the thread and fails. Counts from when the thread begins with it. */
  timeoutMs: number
  /**
   * The work waits for nothing: its time is the CPU time of the thread, and up to ten times as much by the
   * clock. On a busy machine it fails no sooner.
   */
  isComputing?: boolean
  /** What the thread may keep in its heap, in MiB. A question that needs more ends the thread and fails. */
  heapMaxMb?: number
  /**
   * MiB for objects just made; the garbage collector lets it grow to tens of MiB otherwise. Below 12 it runs too often.
   */
  youngMaxMb?: number
  /** By the clock, from the start of the thread until it takes questions. */
  startTimeoutMs?: number
}

export interface Asked<Q, A> {
  question: Q
  resolve: (answer: A) => void
  reject: (error: unknown) => void
  /** Does what the thread asks for while it works on it; its time does not count meanwhile. */
  onCall?: ((what: never) => Promise<unknown>) | undefined
  /** How many threads have ended before they began with it. */
  attempts: number
}

interface UnderWay<Q, A> extends Asked<Q, A> {
  hasBegun: boolean
  /** See `WatchedWork`. */
  cpuMsBefore: number
  stopWatch?: () => void
}

interface ThreadEvents<Q, A> {
  /** It can take a question: it is ready, or one was settled. */
  onFree: () => void
  /** It has ended. It had not begun with `unbegun`, and never was ready unless `hasStarted`. */
  onEnd: (end: { unbegun: Asked<Q, A>[]; hasStarted: boolean; error: ThreadEnded }) => void
}

const heapMaxMbByDefault = 256
export const startTimeoutMsByDefault = 120_000
/** A question that ends each thread before it has begun is at fault itself: it may be too large to take over. */
const attemptsMax = 2

/** One thread of a `WorkerLink`, from its start to its end. */
export class QuestionThread<Q, A> {
  /** Resolves once the thread is gone. */
  readonly exited: Promise<void>
  readonly #worker: Worker
  readonly #options: ThreadOptions
  readonly #events: ThreadEvents<Q, A>
  readonly #underWay = new Map<number, UnderWay<Q, A>>()
  readonly #starting: NodeJS.Timeout
  #lastId = 0
  #heapBytes = 0
  #isReady = false
  #hasEnded = false

  constructor(file: URL, options: ThreadOptions, events: ThreadEvents<Q, A>) {
    const { name, data, heapMaxMb = heapMaxMbByDefault, youngMaxMb } = options
    this.#options = options
    this.#events = events
    const worker = new Worker(file, {
      name,
      workerData: data,
      resourceLimits: {
        maxOldGenerationSizeMb: heapMaxMb,
        ...(youngMaxMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMaxMb }),
      },
    })
    this.#worker = worker
    worker.unref()
    const startMs = options.startTimeoutMs ?? startTimeoutMsByDefault
    this.#starting = setTimeout(() => this.end('start'), startMs).unref()
    let cause: unknown
    worker.on('message', (reply: WorkerReply<A>) => this.#receive(reply))
    worker.on('error', (error) => (cause = error))
    this.exited = new Promise((resolve) =>
      worker.once('exit', () => {
        resolve()
        this.#finish(reasonOf(cause, this.#isReady), cause)
      }),
    )
  }

  /** How many questions it works on; undefined while it takes none. */
  get load(): number | undefined {
    return this.#isReady && !this.#hasEnded ? this.#underWay.size : undefined
  }

  /** What it held after its last answer. */
  get heapBytes(): number {
    return this.#heapBytes
  }

  /** Whether the process waits for it. */
  keepsProcess(isNeeded: boolean): void {
    if (isNeeded) this.#worker.ref()
    else this.#worker.unref()
  }

  take(asked: Asked<Q, A>): void {
    const id = ++this.#lastId
    const request: WorkerRequest<Q> = { is: 'question', id, question: asked.question }
    try {
      this.#worker.postMessage(request)
      const attempts = asked.attempts + 1
      this.#underWay.set(id, { ...asked, attempts, hasBegun: false, cpuMsBefore: 0 })
    } catch (error) {
      asked.reject(error)
    }
  }

  /** Ends it: what it has begun with fails. */
  end(reason: ThreadEnd): void {
    this.#finish(reason)
    void this.#worker.terminate()
  }

  #receive(reply: WorkerReply<A>): void {
    if (this.#hasEnded) return
    if (reply.is === 'ready') {
      this.#isReady = true
      clearTimeout(this.#starting)
      return this.#events.onFree()
    }
    const underWay = this.#underWay.get(reply.id)
    if (!underWay) return
    if (reply.is === 'begun') {
      Object.assign(underWay, { hasBegun: true, cpuMsBefore: reply.cpuMs })
      return this.#watch(underWay)
    }
    underWay.stopWatch?.()
    if (reply.is === 'call') return void this.#call(underWay, reply)
    this.#underWay.delete(reply.id)
    this.#heapBytes = reply.heapBytes
    this.#events.onFree()
    if (reply.is === 'answer') underWay.resolve(reply.answer)
    else underWay.reject(reply.error)
  }

  async #call(
    underWay: UnderWay<Q, A>,
    { call, what }: { call: number; what: unknown },
  ): Promise<void> {
    const { onCall = () => Promise.reject(new Error('There is nothing to call.')) } = underWay
    // Messages that follow each other closely are received in one turn: others have theirs between two calls.
    await nextTurn()
    const done = await onCall(what as never).then(
      (answer) => ({ is: 'called', call, answer }) as const,
      (error: unknown) => ({ is: 'not called', call, error }) as const,
    )
    if (this.#hasEnded) return
    this.#watch(underWay)
    this.#worker.postMessage(done satisfies WorkerRequest<Q>)
  }

  #watch(underWay: UnderWay<Q, A>): void {
    const { timeoutMs, isComputing = false } = this.#options
    underWay.stopWatch = watchWork({
      worker: this.#worker,
      cpuMsBefore: underWay.cpuMsBefore,
      limitMs: timeoutMs,
      isComputing,
      onOver: () => this.end('time'),
    })
  }

  #finish(reason: ThreadEnd, cause?: unknown): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#starting)
    const error = new ThreadEnded(this.#options.name, reason, cause)
    const all = [...this.#underWay.values()]
    this.#underWay.clear()
    for (const { stopWatch } of all) stopWatch?.()
    const unbegun = all.filter((each) => !each.hasBegun && each.attempts < attemptsMax)
    this.#events.onEnd({ unbegun, hasStarted: this.#isReady, error })
    for (const each of all) if (!unbegun.includes(each)) each.reject(error)
  }
}

function reasonOf(cause: unknown, hasStarted: boolean): ThreadEnd {
  if (!hasStarted) return 'start'
  const isMemory = (cause as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory ? 'memory' : 'died'
}
