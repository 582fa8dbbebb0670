import { read as readCallback } from 'node:fs'
import { promisify } from 'node:util'
import { BlockTable, type TableMark } from './block-table.ts'
import { EntryScanner, type EntrySink } from './entry-scanner.ts'
import type { LineFormat } from './line-format.ts'
import type { Needle } from './needle.ts'
import { giveBack, takeSlice } from './slice-pool.ts'

const read = promisify(readCallback)
const newline = 0x0a

/** The state before what may still change: the last line, where it is not ended, and its entry. */
interface Resume {
  offset: number
  table: TableMark
  openStart: number
  openLevel: number
  isOpenHit: boolean
}

interface EntryIndexOptions {
  format: LineFormat
  needle?: Needle | undefined
  /** Where the first line to scan begins. */
  from: number
  /** The part before `from` is not scanned; lines that belong to an entry there are left out. */
  skipsOrphans?: boolean
}

/**
 * The entries of a file, or those that hold a text, as far as it has been scanned. It grows with the
 * file: only what is new is read, and the last line again where it was not ended.
 */
export class EntryIndex implements EntrySink {
  readonly format: LineFormat
  readonly needle: Needle | undefined
  readonly from: number
  readonly skipsOrphans: boolean
  readonly table: BlockTable
  /** The end of what has been scanned. */
  scannedTo: number
  readonly #scanner: EntryScanner
  /** The entry that was begun last and is not in the table yet; -1 for none. */
  #openStart = -1
  #openLevel = 0
  #isOpenHit = false
  #resume: Resume

  constructor({ format, needle, from, skipsOrphans = false }: EntryIndexOptions) {
    this.format = format
    this.needle = needle
    this.table = new BlockTable(needle === undefined)
    this.from = from
    this.scannedTo = from
    this.skipsOrphans = skipsOrphans
    this.#scanner = new EntryScanner(format, needle)
    this.#resume = this.#mark(from)
  }

  get hasBegun(): boolean {
    return this.#openStart >= 0
  }

  begin(start: number, level: number): void {
    this.#close(start)
    this.#openStart = start
    this.#openLevel = level
    this.#isOpenHit = this.needle === undefined
  }

  hit(): void {
    this.#isOpenHit = true
  }

  /**
   * Scans on up to `size`, in slices, so that others get their turn in between. Stops early when
   * `mayGoOn` says no, or when the file turns out to be shorter; the next call goes on from there.
   */
  async extend(fd: number, size: number, mayGoOn: () => boolean = () => true): Promise<void> {
    this.#goBack()
    const { offset } = this.#resume
    const slices: [Buffer, Buffer] = [takeSlice(size - offset), takeSlice(size - offset)]
    try {
      await this.#scanSlices(fd, size, mayGoOn, slices)
    } finally {
      for (const slice of slices) giveBack(slice)
    }
    this.#close(this.scannedTo)
  }

  async #scanSlices(
    fd: number,
    size: number,
    mayGoOn: () => boolean,
    slices: [Buffer, Buffer],
  ): Promise<void> {
    let { offset } = this.#resume
    let [buffer, spare] = slices
    let isMidLine = false
    let reading = this.#readSlice(fd, buffer, offset, size)
    while (offset < size) {
      const { bytesRead } = await reading
      if (bytesRead === 0 || !mayGoOn()) break
      const slice = buffer.subarray(0, bytesRead)
      const lines = slice.lastIndexOf(newline) + 1
      const next = lines > 0 ? offset + lines : this.#nextInLine(offset, bytesRead, size)
      // The next slice is on its way while this one is scanned.
      reading = this.#readSlice(fd, spare, next, size)
      this.#scanner.scan(lines > 0 ? slice.subarray(0, lines) : slice, offset, isMidLine, this)
      this.scannedTo = lines > 0 ? next : offset + bytesRead
      if (lines > 0) this.#passLines(next)
      isMidLine = lines === 0
      offset = next
      ;[buffer, spare] = [spare, buffer]
    }
    await reading
  }

  /** Behind whole lines nothing can change but that more lines are added to the last entry. */
  #passLines(offset: number): void {
    this.table.compact()
    this.#resume = this.#mark(offset)
  }

  /** Within a line longer than a slice: the text searched for may lie across the cut. */
  #nextInLine(offset: number, bytesRead: number, size: number): number {
    const end = offset + bytesRead
    const overlap = (this.needle?.length ?? 1) - 1
    return end < size && overlap < bytesRead ? end - overlap : end
  }

  #readSlice(fd: number, buffer: Buffer, offset: number, size: number) {
    const length = Math.min(buffer.length, size - offset)
    return length > 0 ? read(fd, buffer, 0, length, offset) : Promise.resolve({ bytesRead: 0 })
  }

  #close(end: number): void {
    if (this.#openStart >= 0) this.table.add(this.#openStart, end, this.#openLevel, this.#isOpenHit)
  }

  #mark(offset: number): Resume {
    return {
      offset,
      table: this.table.mark(),
      openStart: this.#openStart,
      openLevel: this.#openLevel,
      isOpenHit: this.#isOpenHit,
    }
  }

  #goBack(): void {
    const { offset, table, openStart, openLevel, isOpenHit } = this.#resume
    this.table.goBack(table)
    this.#openStart = openStart
    this.#openLevel = openLevel
    this.#isOpenHit = isOpenHit
    this.scannedTo = offset
  }
}
