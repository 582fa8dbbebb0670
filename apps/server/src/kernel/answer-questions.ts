import { parentPort } from 'node:worker_threads'

export interface WorkerRequest<Q> {
  id: number
  question: Q
}

export type WorkerReply<A> =
  | { id: number; ok: true; answer: A }
  | { id: number; ok: false; error: unknown }

/** The other end of a `WorkerLink`: answers each question, one after the other. */
export function answerQuestions(answer: (question: never) => unknown): void {
  let last = Promise.resolve()
  const reply = async ({ id, question }: WorkerRequest<never>): Promise<WorkerReply<unknown>> => {
    try {
      return { id, ok: true, answer: await answer(question) }
    } catch (error) {
      return { id, ok: false, error }
    }
  }
  parentPort?.on('message', (request: WorkerRequest<never>) => {
    last = last.then(async () => {
      parentPort?.postMessage(await reply(request))
    })
  })
}
