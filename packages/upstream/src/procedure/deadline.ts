import { ProcedureFailure } from './procedure-failure.ts'

type Listener = (() => void) | { handleEvent(): void }

/** The part of an AbortSignal that waiting code needs. A `Deadline` has it too. */
export interface Abortable {
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: Listener, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: Listener): void
}

/**
 * The limits of one call: its time, and the signal of its caller. When either ends the call, the
 * deadline aborts once, with a ProcedureFailure as the reason. Thousands of deadlines run at once and
 * few expire, so all share one timer, and `signal` makes an AbortSignal only when it is read. The
 * owner has to call `stop`.
 */
export class Deadline implements Abortable {
  /** Whether the procedure may have been called. The reason carries it. */
  isSent = false
  reason: ProcedureFailure | undefined
  readonly endsAt: number
  /** Its index in `running`; -1 when it does not run. */
  place = -1
  readonly #timeoutMs: number
  readonly #outer: AbortSignal | undefined
  readonly #listeners: Listener[] = []
  #controller: AbortController | undefined

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.#outer = outer
    this.endsAt = performance.now() + timeoutMs
    if (outer?.aborted) {
      this.handleEvent()
      return
    }
    outer?.addEventListener('abort', this, { once: true })
    run(this)
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.reason) this.#controller.abort(this.reason)
    }
    return this.#controller.signal
  }

  throwIfAborted(): void {
    if (this.reason) throw this.reason
  }

  addEventListener(_: 'abort', listener: Listener): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    const index = this.#listeners.lastIndexOf(listener)
    if (index >= 0) this.#listeners.splice(index, 1)
  }

  /** The caller's signal aborts. */
  handleEvent(): void {
    const { isSent } = this
    const detail = 'The caller has left.'
    this.#abort(new ProcedureFailure('procedure.cancelled', { isSent, detail }))
  }

  /** Time is up. */
  expire(): void {
    const { isSent } = this
    const detail = `No answer within ${this.#timeoutMs} ms.`
    this.#abort(new ProcedureFailure('upstream.timeout', { isSent, detail }))
  }

  stop(): void {
    this.#outer?.removeEventListener('abort', this)
    end(this)
  }

  #abort(reason: ProcedureFailure) {
    if (this.reason) return
    this.reason = reason
    this.stop()
    this.#controller?.abort(reason)
    for (const listener of this.#listeners.splice(0)) {
      if (typeof listener === 'function') listener()
      else listener.handleEvent()
    }
  }
}

/** For Node's APIs, which take an AbortSignal. */
export function toSignal(limit: AbortSignal | Deadline): AbortSignal {
  return limit instanceof Deadline ? limit.signal : limit
}

const running: Deadline[] = []
let alarm: NodeJS.Timeout | undefined
let alarmAt = Infinity

function run(deadline: Deadline) {
  deadline.place = running.push(deadline) - 1
  if (deadline.endsAt < alarmAt) ringAt(deadline.endsAt)
}

function end(deadline: Deadline) {
  const { place } = deadline
  if (place < 0) return
  deadline.place = -1
  const last = running.pop()
  if (!last || last === deadline) return
  running[place] = last
  last.place = place
}

/** A deadline that is stopped leaves the alarm set, which then rings once without an effect. */
function ringAt(time: number) {
  clearTimeout(alarm)
  alarmAt = time
  alarm = setTimeout(ring, Math.max(Math.ceil(time - performance.now()), 0))
  // A running call holds a socket, which keeps the process alive. The alarm must not.
  alarm.unref()
}

function ring() {
  alarmAt = Infinity
  const now = performance.now()
  for (const deadline of running.filter(({ endsAt }) => endsAt <= now)) deadline.expire()
  let next = Infinity
  for (const { endsAt } of running) next = Math.min(next, endsAt)
  if (next < Infinity) ringAt(next)
}
