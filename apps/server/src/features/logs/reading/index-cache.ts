import type { Stats } from 'node:fs'
import { IndexedFile } from './indexed-file.ts'
import type { LogSource } from './open-log-file.ts'

const filesMax = 16
const tableBytesMax = 64 * 1024 * 1024

/** The indexes in use: those asked about last, in at most 64 MiB. */
export class IndexCache {
  readonly #files = new Map<string, IndexedFile>()

  /** The index of an opened file, or of what in it holds a text, following it to its present size. */
  follow(source: LogSource, fd: number, stats: Stats, search: string): IndexedFile {
    const key = `${stats.dev}:${stats.ino}:${search}`
    let file = this.#files.get(key)
    if (!file?.follow(fd, stats)) {
      file?.drop()
      file = new IndexedFile(source, fd, stats, search)
      file.follow(fd, stats)
    }
    this.#files.delete(key)
    this.#files.set(key, file)
    this.#makeRoom()
    return file
  }

  forget(file: IndexedFile): void {
    file.drop()
    for (const [key, each] of this.#files) if (each === file) this.#files.delete(key)
  }

  /** A call that still waits for one of those left out gets an answer from it. */
  #makeRoom(): void {
    let bytes = 0
    for (const file of this.#files.values()) bytes += file.index.table.bytes
    for (const [key, file] of this.#files) {
      const isTooMuch = this.#files.size > filesMax || bytes > tableBytesMax
      if (!isTooMuch || this.#files.size === 1) return
      bytes -= file.index.table.bytes
      this.#files.delete(key)
    }
  }
}
