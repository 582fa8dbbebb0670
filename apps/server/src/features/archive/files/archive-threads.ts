import { WorkerLink } from '../../../kernel/threads/worker-link.ts'
import type { KeptFile, LineEntry, LinePlace } from './file-reader.ts'
import type { Written } from './file-writer.ts'
import type { Manifest } from './manifest.ts'
import type { RunLine } from './run-line.ts'

/** What the thread does: what it is asked, and what it answers. */
export interface FileWork {
  begin: { asks: { folder: string; name: string }; answers: void }
  append: { asks: { runs: readonly RunLine[] }; answers: Written }
  finish: {
    asks: Pick<Manifest, 'written_at' | 'server' | 'previous'>
    answers: { manifest: Manifest; sha256: string }
  }
  abandon: { asks: object; answers: void }
  check: { asks: { file: KeptFile }; answers: void }
  lines: {
    asks: { file: KeptFile; from: number; count: number }
    answers: { entries: LineEntry[]; next: number | null }
  }
  read: {
    asks: { file: Pick<KeptFile, 'folder' | 'name'>; place: LinePlace }
    answers: string
  }
  search: {
    asks: { file: KeptFile; text: string; from: number; count: number }
    answers: { runIds: number[]; bytes: number; next: number | null }
  }
}

export type FileQuestion = { work: keyof FileWork }
export type FileReply =
  | { ok: true; value: unknown }
  | { ok: false; reason: FileFailureReason; message: string }

export type FileFailureReason = 'disk_full' | 'missing' | 'changed' | 'failed'

/** A file of the archive could not be written or read. */
export class FileFailure extends Error {
  override name = 'FileFailure'
  readonly reason: FileFailureReason

  constructor(reason: FileFailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}

const timeoutMs = 120_000

/**
 * Reads and writes files of the archive in threads of their own. A round, a person who reads a run back
 * and a search do not wait for each other.
 */
export class ArchiveThreads {
  readonly #links = new Map<string, WorkerLink<FileQuestion, FileReply>>()

  /** The thread of the round: files are written, checked and listed there. */
  readonly round = this.#asker('archive-round')
  readonly read = this.#asker('archive-reader')
  readonly search = this.#asker('archive-search')

  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.close()))
  }

  #asker(name: string) {
    const link = new WorkerLink<FileQuestion, FileReply>(
      new URL('archive-worker.ts', import.meta.url),
      { name, timeoutMs, queueMax: 256 },
    )
    this.#links.set(name, link)
    /** Throws a FileFailure that says why. */
    return async <W extends keyof FileWork>(
      work: W,
      asked: FileWork[W]['asks'],
    ): Promise<FileWork[W]['answers']> => {
      const reply = await link.ask({ work, ...asked })
      if (!reply.ok) throw new FileFailure(reply.reason, reply.message)
      return reply.value as FileWork[W]['answers']
    }
  }
}
