import { closeSync, fstatSync, readSync, type Stats } from 'node:fs'
import { EntryIndex } from './entry-index.ts'
import { bomLength, detectFormat, formatHeadBytes } from './line-format.ts'
import { Needle } from './needle.ts'
import { openLogFile, type LogSource } from './open-log-file.ts'

const headBytes = 1024
const tailBytes = 256
/** A scan that no call has asked about for this long pauses until one does. */
const leaseMs = 4_000

/** The index of one file, kept by device and inode, and how it follows the file. */
export class IndexedFile {
  readonly index: EntryIndex
  readonly #source: LogSource
  readonly #identity: Pick<Stats, 'dev' | 'ino'>
  #target: Pick<Stats, 'size' | 'mtimeMs'>
  #pass: Promise<void> | undefined
  #askedAt = 0
  #isDropped = false
  /** What stood at the beginning, and before the end of what was scanned. */
  #head: Buffer = Buffer.alloc(0)
  #tail: Buffer = Buffer.alloc(0)

  constructor(source: LogSource, fd: number, stats: Stats, search: string) {
    const head = readUpTo(fd, 0, formatHeadBytes)
    this.#source = source
    this.#identity = { dev: stats.dev, ino: stats.ino }
    this.#target = { size: 0, mtimeMs: 0 }
    const format = detectFormat(head)
    // A JSON line holds the text with the escapes of JSON.
    const spelled = format === 'json' ? JSON.stringify(search).slice(1, -1) : search
    this.index = new EntryIndex({
      format,
      needle: search === '' ? undefined : new Needle(spelled),
      from: bomLength(head),
    })
  }

  get isReady(): boolean {
    const { size } = this.#target
    return !this.#isDropped && this.#pass === undefined && this.index.scannedTo >= size
  }

  /** It says nothing about the file any more. */
  get isDropped(): boolean {
    return this.#isDropped
  }

  /** Settles when the scan that is under way has ended. */
  get pass(): Promise<void> {
    return this.#pass ?? Promise.resolve()
  }

  /** The scan goes no further, and its memory is given back. */
  drop(): void {
    this.#isDropped = true
  }

  /**
   * Follows the file to what it is now. False when it is another, was shortened, or was rewritten:
   * then this index says nothing about it any more.
   */
  follow(fd: number, stats: Stats): boolean {
    this.#askedAt = Date.now()
    const { size, mtimeMs } = this.#target
    if (this.#isDropped || stats.size < size) return false
    if (this.#pass) return true
    const isFirst = size === 0
    const isUnchanged = stats.size === size && stats.mtimeMs === mtimeMs
    if (!isFirst && !isUnchanged && (stats.size === size || !this.holds(fd))) return false
    if (isUnchanged && this.isReady) return true
    this.#target = { size: stats.size, mtimeMs: stats.mtimeMs }
    this.#pass = this.#scan(stats.size)
      // The file is gone or can't be read: the next call finds out by opening it.
      .catch(() => this.drop())
      .finally(() => {
        this.#pass = undefined
      })
    return true
  }

  /** Does the file still hold what was scanned? It may have grown since. */
  holds(fd: number): boolean {
    const { scannedTo } = this.index
    return (
      fstatSync(fd).size >= scannedTo &&
      readUpTo(fd, 0, this.#head.length).equals(this.#head) &&
      readUpTo(fd, scannedTo - this.#tail.length, this.#tail.length).equals(this.#tail)
    )
  }

  /** Is it the same file, with the beginning that it had before, and still of the same format? */
  #isOurs(fd: number, head: Buffer, before: Buffer): boolean {
    const { dev, ino } = fstatSync(fd)
    return (
      dev === this.#identity.dev &&
      ino === this.#identity.ino &&
      head.subarray(0, before.length).equals(before) &&
      detectFormat(head) === this.index.format &&
      bomLength(head) === this.index.from
    )
  }

  async #scan(size: number): Promise<void> {
    const fd = openLogFile(this.#source)
    try {
      const before = readUpTo(fd, 0, formatHeadBytes)
      if (!this.#isOurs(fd, before, this.#head)) return this.drop()
      const mayGoOn = () => !this.#isDropped && Date.now() - this.#askedAt < leaseMs
      await this.index.extend(fd, size, mayGoOn)
      // Rewritten while it was scanned: the findings would mix two files.
      const head = readUpTo(fd, 0, formatHeadBytes)
      if (!this.#isOurs(fd, head, before)) return this.drop()
      const { scannedTo } = this.index
      this.#head = head.subarray(0, Math.min(headBytes, scannedTo))
      const tailLength = Math.min(tailBytes, scannedTo)
      this.#tail = readUpTo(fd, scannedTo - tailLength, tailLength)
    } finally {
      closeSync(fd)
    }
  }
}

/** As many bytes as there are, at most `length`. */
export function readUpTo(fd: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, start + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
