import type { ErrorCode } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import {
  FileFailure,
  type ArchiveThreads,
  type FileFailureReason,
} from '../files/archive-threads.ts'
import { readLine, type RunLine } from '../files/run-line.ts'

interface ArchivedBodiesOptions {
  stores: Pick<Stores, 'archivedRuns'>
  inTransaction: InTransaction
  clock: Clock
  threads: ArchiveThreads
  folder: string
  /** The id of this server. */
  owner: string
}

/** Where the bodies and answers of a run are. */
type ArchivePlace = NonNullable<Awaited<ReturnType<Stores['archivedRuns']['find']>>>

const codes: Record<FileFailureReason, ErrorCode> = {
  missing: 'archive.file_missing',
  changed: 'archive.file_changed',
  disk_full: 'archive.file_unreadable',
  failed: 'archive.file_unreadable',
}

/** The refusal of a file that can't be used, by what is wrong with it. */
export function refusalOfFile(
  { reason, message }: FileFailure,
  file: { name: string; server: string },
  owner: string,
): AppError {
  if (reason === 'missing' && file.server !== owner)
    return new AppError('archive.file_elsewhere', {
      message: `${file.name} is on the server ${file.server}, which does not share its folder with this one.`,
    })
  const text = {
    missing: `${file.name} is not in the folder of the archive.`,
    changed: `${file.name} is not what was written: its hash is another one.`,
  }
  return new AppError(codes[reason], {
    message: reason === 'missing' || reason === 'changed' ? text[reason] : message,
  })
}

/** Reads bodies and answers back from the archive, each checked by its hash. */
export class ArchivedBodies {
  readonly #options: ArchivedBodiesOptions

  constructor(options: ArchivedBodiesOptions) {
    this.#options = options
  }

  /** Where the bodies of a run are; undefined where the database has them. */
  placeOf(runId: number): Promise<ArchivePlace | undefined> {
    return this.#options.stores.archivedRuns.find(runId)
  }

  /**
   * The archived line of a run; undefined where the database has its bodies. Throws a 409 or 503 where its
   * file is missing, on another server, or not what was written.
   */
  async read(runId: number): Promise<RunLine | undefined> {
    const place = await this.placeOf(runId)
    return place && this.#readAt(place)
  }

  /**
   * The archived lines of a run and of the runs whose answers it uses; those that are in the database are left
   * out. Throws as `read`.
   */
  async readWithOrigins(runId: number): Promise<RunLine[]> {
    const origins = await this.#options.stores.archivedRuns.listOrigins(runId)
    const lines: RunLine[] = []
    for (const id of new Set([runId, ...origins])) {
      const line = await this.read(id)
      if (line) lines.push(line)
    }
    return lines
  }

  /**
   * Puts the bodies of a run, and of the runs whose answers it uses, into the database again: what
   * continues or repeats it needs them there. They stay for a week. Throws as `read`.
   */
  async bringBack(runId: number): Promise<void> {
    const { stores, inTransaction, clock } = this.#options
    const origins = await stores.archivedRuns.listOrigins(runId)
    for (const id of new Set([runId, ...origins])) {
      const place = await this.placeOf(id)
      if (!place) continue
      const line = await this.#readAt(place)
      const now = clock.now().toISOString()
      await inTransaction(async ({ archivedRuns, search }) => {
        await archivedRuns.lockRuns([id])
        const isBack = await archivedRuns.putBack(line, place.sha256 ?? '', now)
        if (isBack) await search.forget([id])
      })
    }
  }

  async #readAt(place: ArchivePlace): Promise<RunLine> {
    const { threads, folder, owner } = this.#options
    const { name, block_at, block_bytes, sha256 } = place
    try {
      const text = await threads.read('read', {
        file: { folder, name },
        place: { at: block_at ?? 0, bytes: block_bytes ?? 0, sha256: sha256 ?? '' },
      })
      return readLine(text)
    } catch (error) {
      if (error instanceof FileFailure) throw refusalOfFile(error, place, owner)
      throw error
    }
  }
}
