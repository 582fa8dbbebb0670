import { fieldError } from '../../kernel/app-error.ts'
import { WorkerLink } from '../../kernel/threads/worker-link.ts'
import { mapBody, type MappedBody, type MappingQuestion } from './map-body.ts'

/** Data and rows of up to this many characters are mapped at once, in a few milliseconds. */
const smallCharacters = 4096

const mapper = new WorkerLink<MappingQuestion, MappedBody>(
  new URL('mapping-worker.ts', import.meta.url),
  { name: 'mapping', timeoutMs: 30_000, isComputing: true, heapMaxMb: 512, queueMax: 32 },
)

/**
 * The body that a build request sends, from `mapBody`. A thread maps large data. Throws a 422 that
 * names every row at fault, and a 429 while the queue of the thread is full.
 */
export async function bodyToSend(question: MappingQuestion): Promise<string> {
  const isSmall = question.first.length + question.typed.length <= smallCharacters
  const mapped = isSmall ? mapBody(question) : await mapper.ask(question)
  if (!mapped.ok) throw fieldError({ [mapped.field]: mapped.messages })
  return mapped.body
}
