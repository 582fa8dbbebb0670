import type { Clock } from '../../../kernel/clock.ts'
import type { Stores } from '../../../stores.ts'
import type { WrittenFile } from '../archive-store.ts'
import { FileFailure, type ArchiveThreads } from '../files/archive-threads.ts'
import { monotonicMs } from '../round-parts.ts'

interface SearchOptions {
  /** On a connection for long reads. */
  longReads: Pick<Stores, 'archive' | 'archivedRuns'>
  clock: Clock
  threads: ArchiveThreads
  folder: string
}

type Hits = Awaited<ReturnType<Stores['archivedRuns']['search']>>

/** Where a search goes on: a block of a file. */
interface SearchPlace {
  file: number
  at: number
}

const hitsMax = 100
const searchMs = 5000
/** Blocks that the thread reads before the search looks whether it may go on. */
const blocksAtOnce = 16

/** Finds runs in the archive. */
export class ArchiveSearch {
  readonly #options: SearchOptions

  constructor(options: SearchOptions) {
    this.#options = options
  }

  /** By the number of a run, or how its reference begins. The database knows where they are. */
  async find(text: string, register: string) {
    const hits = await this.#options.longReads.archivedRuns.search(text, register, hitsMax + 1)
    return { hits: hits.slice(0, hitsMax), has_more: hits.length > hitsMax }
  }

  /**
   * Reads files from a place for a few seconds, from the newest to the oldest. Ends before that with
   * enough hits, or when the caller has gone.
   */
  async search(text: string, from: SearchPlace | undefined, signal: AbortSignal) {
    const { longReads, clock } = this.#options
    const untilMs = monotonicMs(clock) + searchMs
    const found: { hits: Hits; skipped: string[]; read_bytes: number } = {
      hits: [],
      skipped: [],
      read_bytes: 0,
    }
    let file = from
      ? await longReads.archive.findFile(from.file)
      : await longReads.archive.findFileBefore()
    let at = from?.at ?? 0
    while (file) {
      const next = await this.#readSome(file, text, at, found)
      if (next === null) file = await longReads.archive.findFileBefore(file.id)
      at = next ?? 0
      const isOver = found.hits.length >= hitsMax || monotonicMs(clock) >= untilMs
      if (isOver || signal.aborted) break
    }
    return { ...found, next: file ? { file: file.id, at } : null }
  }

  /** The block after those that were read; null: the file was read. */
  async #readSome(
    file: WrittenFile,
    text: string,
    from: number,
    found: { hits: Hits; skipped: string[]; read_bytes: number },
  ): Promise<number | null> {
    const { threads, folder, longReads } = this.#options
    try {
      const some = await threads.search('search', {
        file: { folder, ...file },
        text,
        from,
        count: blocksAtOnce,
      })
      found.hits.push(...(await longReads.archivedRuns.listHits(file.id, some.runIds)))
      found.read_bytes += some.bytes
      return some.next
    } catch (error) {
      if (!(error instanceof FileFailure)) throw error
      found.skipped.push(file.name)
      return null
    }
  }
}
