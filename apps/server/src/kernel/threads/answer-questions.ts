import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'

export type WorkerRequest<Q> =
  | { is: 'question'; id: number; question: Q }
  /** What became of a call. */
  | { is: 'called'; call: number; answer: unknown }
  | { is: 'not called'; call: number; error: unknown }

export type WorkerReply<A> =
  | { is: 'ready' }
  /** `cpuMs`: what the thread has used so far. */
  | { is: 'begun'; id: number; cpuMs: number }
  /** Something that the owner of the thread has to do before it can go on. */
  | { is: 'call'; id: number; call: number; what: unknown }
  /** `heapBytes`: what the thread holds, with what it could give back. */
  | { is: 'answer'; id: number; answer: A; heapBytes: number }
  | { is: 'failure'; id: number; error: unknown; heapBytes: number }

/** Asks the owner of the thread to do something. Throws what it threw. */
export type CallOwner = (what: unknown) => Promise<unknown>

const post = (reply: WorkerReply<unknown>) => parentPort?.postMessage(reply)
const calls = new Map<number, PromiseWithResolvers<unknown>>()
let lastCall = 0

/**
 * The other end of a `WorkerLink`: answers each question. Called last in a module: the thread is
 * ready once this was called, and takes questions from then on.
 */
export function answerQuestions(answer: (question: never, callOwner: CallOwner) => unknown): void {
  parentPort?.on('message', (request: WorkerRequest<never>) => {
    if (request.is !== 'question') return settleCall(request)
    const { id, question } = request
    const { user, system } = process.threadCpuUsage()
    post({ is: 'begun', id, cpuMs: (user + system) / 1000 })
    void settle(id, async () => answer(question, (what) => callOwner(id, what)))
  })
  post({ is: 'ready' })
}

const heapBytes = () => getHeapStatistics().total_heap_size

async function settle(id: number, work: () => Promise<unknown>): Promise<void> {
  try {
    post({ is: 'answer', id, answer: await work(), heapBytes: heapBytes() })
  } catch (error) {
    post({ is: 'failure', id, error, heapBytes: heapBytes() })
  }
}

function callOwner(id: number, what: unknown): Promise<unknown> {
  const call = ++lastCall
  const waiting = Promise.withResolvers<unknown>()
  calls.set(call, waiting)
  post({ is: 'call', id, call, what })
  return waiting.promise
}

function settleCall(reply: Exclude<WorkerRequest<never>, { is: 'question' }>): void {
  const waiting = calls.get(reply.call)
  calls.delete(reply.call)
  if (reply.is === 'called') waiting?.resolve(reply.answer)
  else waiting?.reject(reply.error)
}
