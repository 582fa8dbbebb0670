import { importOperationsMax } from '@gatehouse/contract'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { fewAtOnce } from '../../kernel/few-at-once.ts'
import { noteInWords } from '../../kernel/located-document.ts'
import { WorkerLink } from '../../kernel/worker-link.ts'
import type { ImportAnswer } from './import-worker.ts'
import type { ImportedDocument } from './imported-document.ts'

const timeoutMs = 20_000

const thread = new WorkerLink<string, ImportAnswer>(new URL('import-worker.ts', import.meta.url), {
  name: 'imports',
  timeoutMs,
  idleMs: 60_000,
})
const run = fewAtOnce({ atOnce: 1, queueMax: 8 })

/** The APIs and operations of a document. Throws a 422 under `document`, each message with its place. */
export async function readInThread(text: string): Promise<ImportedDocument> {
  const answer = await run(() => thread.ask(text)).catch((error: unknown) => {
    if (error instanceof AppError) throw error
    return undefined
  })
  if (!answer) {
    const message = `It can’t be read, or reading it takes longer than ${timeoutMs / 1000} seconds.`
    throw fieldError({ document: [message] })
  }
  if (!answer.ok) throw fieldError({ document: answer.problems.map(noteInWords) })
  const { document } = answer
  const count = document.operations.reduce((sum, { servers }) => sum + servers.length, 0)
  if (count > importOperationsMax) {
    const message = `It has ${count} operations over all its servers. At most ${importOperationsMax} can be imported at once: split it.`
    throw fieldError({ document: [message] })
  }
  return document
}
