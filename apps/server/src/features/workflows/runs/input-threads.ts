import { WorkerLink } from '../../../kernel/threads/worker-link.ts'
import { readInput, type InputQuestion, type ReadInput } from './run-input.ts'

/** Up to this many characters are read at once, in a few milliseconds. */
const smallCharacters = 16_384

const reader = new WorkerLink<InputQuestion, ReadInput>(
  new URL('input-worker.ts', import.meta.url),
  { name: 'inputs', timeoutMs: 30_000, isComputing: true, heapMaxMb: 512, queueMax: 128 },
)

/** The result of `readInput`. A thread reads large inputs. Throws a 429 while its queue is full. */
export async function inputRead(question: InputQuestion): Promise<ReadInput> {
  return question.text.length <= smallCharacters ? readInput(question) : reader.ask(question)
}
