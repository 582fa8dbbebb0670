import { parentPort } from 'node:worker_threads'
import { PageAnswers, type LogAnswer, type LogQuery } from './answer-page.ts'
import { LogFileGone } from './open-log-file.ts'

// The thread that reads logs: however large or hostile a file is, the server's own thread goes on.

export interface ReadRequest {
  id: number
  query: LogQuery
}

export type ReadReply =
  | { id: number; ok: true; answer: LogAnswer }
  | { id: number; ok: false; isGone: boolean; error: unknown }

const answers = new PageAnswers()

async function reply({ id, query }: ReadRequest): Promise<ReadReply> {
  try {
    return { id, ok: true, answer: await answers.answer(query) }
  } catch (error) {
    return { id, ok: false, isGone: error instanceof LogFileGone, error }
  }
}

parentPort?.on('message', (request: ReadRequest) => {
  void reply(request).then((each) => parentPort?.postMessage(each))
})
