import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { listFiles, removeExcessFiles, removeOldFiles } from './kept-files.ts'

export interface RotatingFileOptions {
  folder: string
  /** Files are called `{name}-2026-11-21.log`, then `{name}-2026-11-21.2.log` and so on. */
  name: string
  clock: { now(): Date }
  /** The line that reports lines which could not be written. */
  lossLine: (loss: Loss) => string
  maxBytes?: number
  keepDays?: number
  /** The oldest files go as soon as all of them together hold more; no bound unless given. */
  maxTotalBytes?: number
  /** With less free space than this, logs stop, so that the database can still be written. */
  minFreeBytes?: number
  /** Free space of the folder's disk. */
  freeBytes?: (folder: string) => number
}

export interface Loss {
  lines: number
  since: Date
  reason: string
}

const dayMs = 86_400_000
/** How often a disk that failed is tried again, and one that works is looked at. */
const retryMs = 1_000
const checkMs = 5_000

const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT
const noFollow = constants.O_NOFOLLOW ?? 0

/**
 * Appends lines to a file that changes with the day (UTC) and when it has grown large; old ones are
 * removed. Names stay as they are, so that a link to a line holds as long as the file. A failure is never
 * thrown: lines are dropped and counted, and once writing works again one line says how many.
 */
export class RotatingFile {
  readonly #options: Required<RotatingFileOptions>
  #fd: number | undefined
  #day = ''
  #number = 1
  #size = 0
  #checkAt = 0
  #retryAt = 0
  /** The last write was cut off in the middle of a line. */
  #isTorn = false
  #loss: Loss | undefined

  constructor(options: RotatingFileOptions) {
    this.#options = {
      maxBytes: 32 * 1024 * 1024,
      keepDays: 30,
      maxTotalBytes: Number.POSITIVE_INFINITY,
      minFreeBytes: 64 * 1024 * 1024,
      freeBytes: (folder) => {
        const { bavail, bsize } = statfsSync(folder)
        return bavail * bsize
      },
      ...options,
    }
  }

  /** `text`, or its bytes, may hold several lines. False: they are lost. */
  write(text: string | Buffer, lines = 1): boolean {
    const now = this.#options.clock.now()
    if (now.getTime() < this.#retryAt) return this.#drop(now, lines)
    try {
      this.#prepare(now, text.length)
      const loss = this.#loss
      if (loss) {
        this.#append(this.#options.lossLine(loss))
        this.#loss = undefined
      }
      this.#append(text)
      return true
    } catch (error) {
      this.#close()
      this.#retryAt = now.getTime() + retryMs
      this.#checkAt = 0
      return this.#drop(now, lines, error)
    }
  }

  /** Writing waits for nothing, so nothing is left to write. */
  flush(done?: () => void): void {
    done?.()
  }

  close(): void {
    this.#close()
  }

  #prepare(now: Date, length: number): void {
    const day = now.toISOString().slice(0, 10)
    if (now.getTime() >= this.#checkAt) this.#check(now)
    const isFull = this.#size > 0 && this.#size + length > this.#options.maxBytes
    if (this.#fd !== undefined && day === this.#day && !isFull) return
    this.#close()
    this.#open(now, day, isFull && day === this.#day)
  }

  /** Is there room, and does the name still lead to the open file? */
  #check(now: Date): void {
    const { folder, freeBytes, minFreeBytes } = this.#options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (freeBytes(folder) < minFreeBytes) throw new Error('the disk is almost full')
    if (this.#fd !== undefined) {
      const named = statSync(this.#path(), { throwIfNoEntry: false })
      if (named?.ino !== fstatSync(this.#fd).ino) this.#close()
    }
    this.#checkAt = now.getTime() + checkMs
  }

  /** The last file of the day, or the one after it. */
  #open(now: Date, day: string, isFull: boolean): void {
    const { folder, name, keepDays, maxBytes, maxTotalBytes } = this.#options
    const oldest = new Date(now.getTime() - keepDays * dayMs).toISOString().slice(0, 10)
    const files = removeOldFiles(folder, listFiles(folder, name), oldest)
    removeExcessFiles(folder, files, maxTotalBytes - maxBytes)
    const numbers = files.filter((file) => file.day === day).map(({ number }) => number)
    this.#day = day
    this.#number = Math.max(1, ...numbers) + (isFull ? 1 : 0)
    this.#fd = openSync(this.#path(), flags | noFollow, 0o600)
    this.#size = fstatSync(this.#fd).size
    this.#isTorn = this.#size > 0 && !endsWithNewline(this.#fd, this.#size)
  }

  #path(): string {
    const { folder, name } = this.#options
    return join(folder, `${name}-${this.#day}${this.#number > 1 ? `.${this.#number}` : ''}.log`)
  }

  #append(text: string | Buffer): void {
    if (this.#isTorn) this.#appendBytes(Buffer.from('\n'))
    this.#appendBytes(typeof text === 'string' ? Buffer.from(text) : text)
  }

  #appendBytes(bytes: Buffer): void {
    let written = 0
    while (written < bytes.length) {
      written += writeSync(this.#fd ?? -1, bytes, written)
      this.#isTorn = bytes[written - 1] !== 0x0a
    }
    this.#size += bytes.length
  }

  #drop(now: Date, lines: number, error?: unknown): false {
    this.#loss ??= { lines: 0, since: now, reason: '' }
    this.#loss.lines += lines
    if (error instanceof Error) this.#loss.reason = error.message
    return false
  }

  #close(): void {
    const fd = this.#fd
    this.#fd = undefined
    try {
      if (fd !== undefined) closeSync(fd)
    } catch {
      // What could not be written by now is lost, and counted where it was tried.
    }
  }
}

function endsWithNewline(fd: number, size: number): boolean {
  const last = Buffer.alloc(1)
  readSync(fd, last, 0, 1, size - 1)
  return last[0] === 0x0a
}
