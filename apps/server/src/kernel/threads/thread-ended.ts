/**
 * Why a thread has ended. `time` and `memory`: the question took more than one question may. `start`: no
 * thread could be started in time. `died`: it stopped with an error. `closed`: the server stops.
 */
export type ThreadEnd = 'time' | 'memory' | 'start' | 'died' | 'closed'

const words: Record<ThreadEnd, string> = {
  time: 'worked on a question for too long',
  memory: 'needed too much memory for a question',
  start: 'could not be started',
  died: 'has ended',
  closed: 'is closed',
}

/** No answer came of a question: the thread has ended. Others are answered by the next thread. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded'
  readonly reason: ThreadEnd

  constructor(thread: string, reason: ThreadEnd, cause?: unknown) {
    super(`The thread ${thread} ${words[reason]}.`, { cause })
    this.reason = reason
  }

  /** The question itself was at fault: asked again, it fails again. */
  get isTooCostly(): boolean {
    return this.reason === 'time' || this.reason === 'memory'
  }
}

/** True where a question took more time or memory than one question may. */
export const isTooCostly = (error: unknown): boolean =>
  error instanceof ThreadEnded && error.isTooCostly
