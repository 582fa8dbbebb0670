import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readEntry, type SubmitEntry } from './submit-entry.ts'

/** Together 256 MiB: about a million submits. The oldest file goes when one more is begun. */
const fileMaxBytes = 16 * 1024 * 1024
const filesMax = 16

/** A submit of which this server knows that its attempt was committed. */
type NotedSubmit = Pick<SubmitEntry, 'attempt' | 'uuid'>

/** Kept in memory while the database is away. */
const notedMax = 10_000

interface OpenFile {
  descriptor: number
  number: number
  bytes: number
}

const namePattern = /^submits-(\d{6,})\.ndjson$/

/**
 * What this server was about to submit, line by line, in its data folder and in no backup. A restored database does
 * not know what was sent after its backup; the journal does (spec: restore).
 */
export class SubmitJournal {
  readonly #folder: string
  readonly #maxBytes: number
  #file: OpenFile | undefined
  /** Undefined until something takes them. */
  #noted: NotedSubmit[] | undefined

  constructor(dataDir: string, maxBytes = fileMaxBytes) {
    this.#folder = join(dataDir, 'submits')
    this.#maxBytes = maxBytes
  }

  /**
   * Adds a line before the socket opens. It survives the end of the process, however it ends. Throws where it can't
   * be written: then nothing may be sent.
   */
  note(entry: SubmitEntry): void {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`)
    const file = this.#fileFor(line.length)
    const written = writeSync(file.descriptor, line)
    file.bytes += written
    if (written !== line.length) {
      this.close()
      throw new Error('The journal of submits takes no more: the disk may be full.')
    }
    if (!this.#noted) return
    if (this.#noted.length >= notedMax) this.#noted.shift()
    this.#noted.push({ attempt: entry.attempt, uuid: entry.uuid })
  }

  /** From now on `takeNoted` has what is noted. */
  keepNoted(): void {
    this.#noted ??= []
  }

  /** What this process has noted since the last call, the newest last. */
  takeNoted(): NotedSubmit[] {
    return this.#noted?.splice(0) ?? []
  }

  /** The oldest first. */
  async *read(): AsyncGenerator<SubmitEntry> {
    for (const { path } of this.#list()) {
      const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
      for await (const line of lines) {
        const entry = readEntry(line)
        if (entry) yield entry
      }
    }
  }

  /** The newest; undefined where there is none. */
  async last(): Promise<SubmitEntry | undefined> {
    for (const { path } of this.#list().toReversed()) {
      let last: SubmitEntry | undefined
      const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
      for await (const line of lines) last = readEntry(line) ?? last
      if (last) return last
    }
    return undefined
  }

  close(): void {
    if (this.#file) closeSync(this.#file.descriptor)
    this.#file = undefined
  }

  #fileFor(bytes: number): OpenFile {
    if (this.#file && this.#file.bytes + bytes <= this.#maxBytes) return this.#file
    const before = this.#file
    this.close()
    this.#file = before ? this.#begin(before.number + 1) : this.#goOn(bytes)
    return this.#file
  }

  /** The last file of an earlier process, where it has room. */
  #goOn(bytes: number): OpenFile {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const last = this.#list().at(-1)
    if (!last) return this.#begin(1)
    const size = statSync(last.path).size
    if (size + bytes > this.#maxBytes) return this.#begin(last.number + 1)
    const descriptor = openSync(last.path, 'a', 0o600)
    // A crash of the machine may have cut the last line.
    return { descriptor, number: last.number, bytes: size + writeSync(descriptor, '\n') }
  }

  #begin(number: number): OpenFile {
    const descriptor = openSync(this.#pathOf(number), 'a', 0o600)
    for (const { path } of this.#list().slice(0, -filesMax)) rmSync(path, { force: true })
    return { descriptor, number, bytes: 0 }
  }

  /** In their order. */
  #list(): { number: number; path: string }[] {
    return this.#names()
      .flatMap((name) => {
        const number = Number(namePattern.exec(name)?.[1] ?? Number.NaN)
        return Number.isNaN(number) ? [] : [{ number, path: join(this.#folder, name) }]
      })
      .toSorted((one, other) => one.number - other.number)
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  #pathOf(number: number): string {
    return join(this.#folder, `submits-${String(number).padStart(6, '0')}.ndjson`)
  }
}
