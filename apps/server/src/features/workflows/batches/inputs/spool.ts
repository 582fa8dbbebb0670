import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { linesOf } from '../../../../kernel/text/lines-of.ts'
import type { GoodInput } from './checked-inputs.ts'

/**
 * The inputs of an upload in a file, until all of them are known to fit. No transaction waits for a slow
 * sender.
 */
export class Spool {
  readonly #file: string
  readonly #out: ReturnType<typeof createWriteStream>

  private constructor(file: string) {
    this.#file = file
    this.#out = createWriteStream(file, { flags: 'wx', mode: 0o600 })
    // It is reported by the next write, or by `close`.
    this.#out.on('error', () => {})
  }

  static async open(folder: string): Promise<Spool> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return new Spool(path.join(folder, `${randomUUID()}.ndjson`))
  }

  async put(input: GoodInput): Promise<void> {
    if (this.#out.errored) throw this.#out.errored
    if (!this.#out.write(`${JSON.stringify(input)}\n`)) await once(this.#out, 'drain')
  }

  async close(): Promise<void> {
    this.#out.end()
    await finished(this.#out)
  }

  /** What was put, in its order, so many at a time. */
  async *chunks(size: number): AsyncGenerator<GoodInput[]> {
    const lines = linesOf(createReadStream(this.#file), Infinity)
    let chunk: GoodInput[] = []
    for await (const each of lines) {
      chunk.push(JSON.parse(each) as GoodInput)
      if (chunk.length < size) continue
      yield chunk
      chunk = []
    }
    if (chunk.length > 0) yield chunk
  }

  async remove(): Promise<void> {
    this.#out.destroy()
    await rm(this.#file, { force: true })
  }

  /** Removes what a process that died has left behind. */
  static async clear(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true })
  }
}
