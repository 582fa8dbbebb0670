import { parentPort } from 'node:worker_threads'

export interface WorkerRequest<Q> {
  id: number
  question: Q
}

export type WorkerReply<A> =
  | { is: 'ready' }
  /** `cpuMs`: what the thread has used so far. */
  | { is: 'begun'; id: number; cpuMs: number }
  | { is: 'answer'; id: number; answer: A }
  | { is: 'failure'; id: number; error: unknown }

const post = (reply: WorkerReply<unknown>) => parentPort?.postMessage(reply)

/**
 * The other end of a `WorkerLink`: answers each question. Called last in a module: the thread is
 * ready once this was called, and takes questions from then on.
 */
export function answerQuestions(answer: (question: never) => unknown): void {
  parentPort?.on('message', ({ id, question }: WorkerRequest<never>) => {
    const { user, system } = process.threadCpuUsage()
    post({ is: 'begun', id, cpuMs: (user + system) / 1000 })
    void settle(id, async () => answer(question))
  })
  post({ is: 'ready' })
}

async function settle(id: number, work: () => Promise<unknown>): Promise<void> {
  try {
    post({ is: 'answer', id, answer: await work() })
  } catch (error) {
    post({ is: 'failure', id, error })
  }
}
