import { HeadingReader } from './heading.ts'
import { jsonLevel } from './json-line.ts'
import type { LineFormat } from './line-format.ts'
import { LineMatcher, type Needle } from './needle.ts'

const newline = 0x0a

/** Receives what a scan finds, in the order of the file. */
export interface EntrySink {
  /** An entry begins at this offset of the file; the one before has ended. */
  begin(start: number, level: number): void
  /** A line of the entry that was begun last holds the text that is searched for. */
  hit(): void
  /** Has any entry begun? Lines before the first heading are an entry too, without a level. */
  readonly hasBegun: boolean
  /** True leaves them out: their entry began before the part of the file that is scanned. */
  readonly skipsOrphans: boolean
}

/** Finds the entries in pieces of a file. Where each begins is decided by its first line alone. */
export class EntryScanner {
  readonly #format: LineFormat
  readonly #needle: Needle | undefined
  readonly #heading = new HeadingReader()

  constructor(format: LineFormat, needle?: Needle) {
    this.#format = format
    this.#needle = needle
  }

  /**
   * Scans a piece that begins at `base` in the file: whole lines, or one line that goes on after it.
   * `isMidLine` says that its first bytes belong to a line that was begun before.
   */
  scan(bytes: Buffer, base: number, isMidLine: boolean, sink: EntrySink): void {
    const matcher = this.#needle && new LineMatcher(this.#needle, bytes)
    let isInside = isMidLine
    for (let at = 0; at < bytes.length;) {
      const found = bytes.indexOf(newline, at)
      const end = found < 0 ? bytes.length : found
      if (!isInside) this.#beginLine(bytes, at, end, base, sink)
      isInside = false
      if (matcher && sink.hasBegun && matcher.holds(at, end)) sink.hit()
      at = end + 1
    }
  }

  #beginLine(bytes: Buffer, at: number, end: number, base: number, sink: EntrySink): void {
    if (this.#format === 'plain') sink.begin(base + at, 0)
    else if (this.#format === 'headings') {
      if (this.#heading.read(bytes, at, end)) sink.begin(base + at, this.#heading.level)
      else if (!sink.hasBegun && !sink.skipsOrphans && !isBlank(bytes, at, end))
        sink.begin(base + at, 0)
    } else if (!isBlank(bytes, at, end)) sink.begin(base + at, jsonLevel(bytes, at, end))
  }
}

/** Nothing but the carriage return of a CRLF. */
const isBlank = (bytes: Buffer, at: number, end: number) =>
  at === end || (at + 1 === end && bytes[at] === 0x0d)
