import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { manifestNameOf, manifestText, type Block, type Manifest } from './manifest.ts'
import { hashOf, type RunLine } from './run-line.ts'

/** Lines are compressed together until they are this long, so that one can be read without the file. */
const blockContentBytes = 256 * 1024

interface Place {
  folder: string
  name: string
}

export interface Written {
  bytes: number
  contentBytes: number
  lines: number
}

type Ending = Pick<Manifest, 'written_at' | 'server' | 'previous'>

/**
 * Writes one file of the archive under a name that ends in `.part`. The file has its name only once all
 * of it is on the disk, and its manifest only after that.
 */
export class FileWriter {
  readonly #place: Place
  readonly #descriptor: number
  readonly #file = createHash('sha256')
  readonly #content = createHash('sha256')
  readonly #blocks: Block[] = []
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #bytes = 0
  #contentBytes = 0
  #lines = 0
  #first: RunLine['run'] | undefined
  #last: RunLine['run'] | undefined

  constructor(place: Place) {
    this.#place = place
    this.#descriptor = openSync(partOf(place), 'wx', 0o600)
  }

  append(runs: readonly RunLine[]): Written {
    for (const run of runs) {
      const line = Buffer.from(`${JSON.stringify(run)}\n`)
      if (this.#waitingBytes + line.length > blockContentBytes) this.#writeBlock()
      this.#waiting.push(line)
      this.#waitingBytes += line.length
      this.#content.update(line)
      this.#contentBytes += line.length
      this.#lines += 1
      if (!this.#first || run.run.id < this.#first.id) this.#first = run.run
      if (!this.#last || run.run.id > this.#last.id) this.#last = run.run
    }
    return { bytes: this.#bytes, contentBytes: this.#contentBytes, lines: this.#lines }
  }

  /** Resolves when file and manifest are on the disk. */
  finish(ending: Ending): { manifest: Manifest; sha256: string } {
    this.#writeBlock()
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    const manifest = this.#manifest(ending)
    const { folder, name } = this.#place
    renameSync(partOf(this.#place), join(folder, name))
    syncFolder(folder)
    const text = manifestText(manifest)
    writeWhole(folder, manifestNameOf(name), text)
    return { manifest, sha256: hashOf(text) }
  }

  /** Removes what was written. */
  abandon(): void {
    closeSync(this.#descriptor)
    rmSync(partOf(this.#place), { force: true })
  }

  #writeBlock(): void {
    if (this.#waiting.length === 0) return
    const block = gzipSync(Buffer.concat(this.#waiting))
    for (let done = 0; done < block.length;) done += writeSync(this.#descriptor, block, done)
    this.#file.update(block)
    this.#blocks.push({ at: this.#bytes, bytes: block.length, lines: this.#waiting.length })
    this.#bytes += block.length
    this.#waiting = []
    this.#waitingBytes = 0
  }

  #manifest(ending: Ending): Manifest {
    const [first, last] = [this.#first, this.#last]
    if (!first || !last) throw new Error('A file of the archive has a line at least.')
    return {
      format: 1,
      name: this.#place.name,
      bytes: this.#bytes,
      sha256: this.#file.digest('hex'),
      content_bytes: this.#contentBytes,
      content_sha256: this.#content.digest('hex'),
      lines: this.#lines,
      first_run: { id: first.id, created_at: first.created_at },
      last_run: { id: last.id, created_at: last.created_at },
      ...ending,
      blocks: this.#blocks,
    }
  }
}

const partOf = ({ folder, name }: Place) => join(folder, `${name}.part`)

/** Writes a file that either is there with all of its content or not at all. */
function writeWhole(folder: string, name: string, text: string): void {
  const part = join(folder, `${name}.part`)
  writeFileSync(part, text, { mode: 0o600, flush: true })
  renameSync(part, join(folder, name))
  syncFolder(folder)
}

/** A new name is on the disk only once its folder is. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
