import { closeSync } from 'node:fs'
import { dayOf, isOlderFile, openAccessFile, readBetween, type LogPlace } from './access-files.ts'
import { endOfLines, firstTime, placeBehind, timeAt } from './line-times.ts'
import {
  neededBytes,
  requestMatcher,
  type AccessLine,
  type RequestFilter,
} from './request-filter.ts'

const lineFeed = 0x0a
const chunkBytes = 128 * 1024
/** Lines of a worker that is replaced and of the one after it alternate: they are that much out of order. */
const disorderMs = 5_000
const afterAll = '\uffff'

interface WorkerLogOptions {
  folder: string
  /** Of one worker, the newest first. */
  files: readonly string[]
  filter: RequestFilter
  /** Reading begins before this place; undefined: at the end. */
  before?: LogPlace | undefined
  /** Reading ends at this place; undefined: at the beginning. */
  downTo?: LogPlace | undefined
}

/** The access log of one worker, read from its end towards its beginning. */
export class WorkerLog {
  /** Lines that were found and not taken so far, the newest first. */
  readonly found: AccessLine[] = []
  readonly #options: WorkerLogOptions
  readonly #files: string[]
  readonly #isAsked: (fields: AccessLine['fields']) => boolean
  readonly #needed: Buffer | undefined
  readonly #from: string | undefined
  readonly #to: string | undefined
  #open: { fd: number; file: string; floor: number } | undefined
  #place: LogPlace | undefined
  #key = afterAll

  constructor(options: WorkerLogOptions) {
    const { files, before, downTo, filter } = options
    this.#options = options
    this.#files = files.filter(
      (file) =>
        !(before && isOlderFile(before.file, file)) && !(downTo && isOlderFile(file, downTo.file)),
    )
    this.#isAsked = requestMatcher(filter)
    this.#needed = neededBytes(filter)
    this.#from = shifted(filter.from, -disorderMs)
    this.#to = shifted(filter.to, disorderMs)
  }

  /** No line that was not found yet has a later key. */
  get reachedKey(): string {
    return this.#key
  }

  get isDone(): boolean {
    return this.#open === undefined && this.#files.length === 0
  }

  /** Behind it lies what was taken; undefined: nothing is left. */
  get place(): LogPlace | undefined {
    const [next] = this.found
    if (next) return { file: next.file, offset: next.end }
    if (this.isDone) return undefined
    const [file] = this.#files
    return this.#place ?? (file === undefined ? undefined : this.#startOf(file))
  }

  /** Reads the next piece. Returns how many bytes those were. */
  read(): number {
    if (this.#open === undefined) return this.#openNext()
    const { fd, file, floor } = this.#open
    const end = this.#place?.offset ?? floor
    const start = Math.max(floor, end - chunkBytes)
    const bytes = readBetween(fd, start, end)
    // What stands before the first line feed belongs to a line that begins further in front.
    const first = start > floor ? bytes.indexOf(lineFeed) + 1 : 0
    const isCut = start > floor && first === bytes.length
    if (!isCut) this.#take(bytes, first, start, file)
    this.#place = { file, offset: isCut ? start : start + first }
    if (this.#isBeforeAll(bytes, first)) this.#end()
    else if (this.#place.offset <= floor) this.#close()
    return bytes.length
  }

  close(): void {
    this.#end()
  }

  #startOf(file: string): LogPlace {
    const { before } = this.#options
    return before?.file === file ? before : { file, offset: Number.MAX_SAFE_INTEGER }
  }

  #openNext(): number {
    const file = this.#files.shift()
    const to = this.#to
    if (file === undefined || (to !== undefined && dayOf(file) > to.slice(0, 10))) return 0
    const { folder, downTo } = this.#options
    const opened = openAccessFile(folder, file)
    if (opened === undefined) return 0
    const { fd, size } = opened
    const floor = downTo?.file === file ? downTo.offset : 0
    let end = Math.min(this.#startOf(file).offset, endOfLines(fd, size))
    if (to !== undefined) end = (firstTime(fd) ?? '') > to ? 0 : placeBehind(fd, end, to)
    if (end <= floor) {
      closeSync(fd)
      return 0
    }
    this.#open = { fd, file, floor }
    this.#place = { file, offset: end }
    return 0
  }

  /** Finds the lines between `first` and the end of `bytes`, the last one first. */
  #take(bytes: Buffer, first: number, start: number, file: string): void {
    let end = bytes.length
    while (end > first) {
      const hit = this.#needed ? bytes.lastIndexOf(this.#needed, end - 1) : end - 2
      if (hit < first) break
      const from = Math.max(first, hit < 0 ? 0 : bytes.lastIndexOf(lineFeed, hit) + 1)
      const to = bytes.indexOf(lineFeed, hit) + 1 || bytes.length
      this.#takeLine(bytes.subarray(from, to), { file, offset: start + from })
      end = from
    }
    const time = timeAt(bytes, first)
    if (time !== undefined && time < this.#key) this.#key = time
  }

  #takeLine(line: Buffer, { file, offset }: LogPlace): void {
    const fields = parseLine(line)
    if (fields === undefined || !this.#isAsked(fields)) return
    const time = String(fields['time'])
    if (time < this.#key) this.#key = time
    this.found.push({ file, offset, end: offset + line.length, key: this.#key, fields })
  }

  /** Do all of these lines, and so all that stand before them, lie before the time that is asked for? */
  #isBeforeAll(bytes: Buffer, first: number): boolean {
    const from = this.#from
    if (from === undefined) return false
    const last = bytes.lastIndexOf(lineFeed, Math.max(0, bytes.length - 2)) + 1
    const times = [timeAt(bytes, first), timeAt(bytes, Math.max(first, last))]
    return times.every((time) => time !== undefined && time < from)
  }

  #close(): void {
    if (this.#open) closeSync(this.#open.fd)
    this.#open = undefined
    this.#place = undefined
  }

  #end(): void {
    this.#close()
    this.#files.length = 0
  }
}

/** `moment` is ISO 8601; it stays comparable as text. */
const shifted = (moment: string | undefined, ms: number) =>
  moment === undefined ? undefined : new Date(Date.parse(moment) + ms).toISOString()

function parseLine(line: Buffer): AccessLine['fields'] | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as AccessLine['fields']) : undefined
  } catch {
    // A line that was cut off when the disk was full.
    return undefined
  }
}
