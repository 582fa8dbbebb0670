import { WorkerLink } from '../../../kernel/threads/worker-link.ts'
import { readList, type ListReading, type ReadList } from './read-list.ts'

/** Up to this many characters are read at once, in a few milliseconds. */
const smallCharacters = 16_384

const reader = new WorkerLink<ListReading, ReadList>(new URL('list-worker.ts', import.meta.url), {
  name: 'lists',
  timeoutMs: 30_000,
  isComputing: true,
  heapMaxMb: 512,
  queueMax: 32,
})

/** The result of `readList`. A thread reads large answers. Throws a 429 while its queue is full. */
export async function listRead(reading: ListReading): Promise<ReadList> {
  return reading.text.length <= smallCharacters ? readList(reading) : reader.ask(reading)
}
