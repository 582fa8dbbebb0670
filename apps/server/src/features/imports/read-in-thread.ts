import { importOperationsMax } from '@gatehouse/contract'
import { fieldError } from '../../kernel/app-error.ts'
import { noteInWords } from '../../kernel/located-document.ts'
import { isTooCostly } from '../../kernel/threads/thread-ended.ts'
import { WorkerLink } from '../../kernel/threads/worker-link.ts'
import type { ImportAnswer } from './import-worker.ts'
import type { ImportedDocument } from './imported-document.ts'

const timeoutMs = 20_000

const thread = new WorkerLink<string, ImportAnswer>(new URL('import-worker.ts', import.meta.url), {
  name: 'imports',
  timeoutMs,
  isComputing: true,
  heapMaxMb: 1024,
  queueMax: 8,
  idleMs: 60_000,
})

/** The APIs and operations of a document. Throws a 422 under `document`, each message with its place. */
export async function readInThread(text: string): Promise<ImportedDocument> {
  const answer = await thread.ask(text).catch((error: unknown) => {
    if (!isTooCostly(error)) throw error
    return undefined
  })
  if (!answer) {
    const message = `Reading it takes longer than ${timeoutMs / 1000} seconds, or too much memory.`
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
