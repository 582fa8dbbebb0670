import { readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Encrypts what the file holds; `open` throws for a text that this key did not seal. */
export interface Seal {
  seal(plain: string): string
  open(sealed: string): string
}

/**
 * The last configuration that the workers took over, so that a start can serve before, or without, the
 * control plane and its database. It holds secrets, and so is encrypted, and its owner's alone.
 */
export class SnapshotFile {
  readonly #path: string
  readonly #seal: () => Seal
  #waiting: { text: () => string } | undefined
  #writing: Promise<void> | undefined
  readonly #onError: (error: unknown) => void

  /** `seal` is asked when it is needed: on a first start the key is made later than this. */
  constructor(folder: string, seal: () => Seal, onError: (error: unknown) => void) {
    this.#path = join(folder, 'gateway-snapshot.json')
    this.#seal = seal
    this.#onError = onError
  }

  /** Undefined where there is none. Throws where it was changed, cut short or sealed with another key. */
  load(): unknown {
    let sealed: string
    try {
      sealed = readFileSync(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    return JSON.parse(this.#seal().open(sealed.trim())) as unknown
  }

  /** Puts it in the place of the one before, at once or not at all. Of several calls at once, the last is written. */
  save(snapshot: unknown): void {
    this.#waiting = { text: () => `${this.#seal().seal(JSON.stringify(snapshot))}\n` }
    this.#writing ??= this.#writeWaiting().finally(() => (this.#writing = undefined))
  }

  /** Settles when everything is on the disk. */
  async flush(): Promise<void> {
    await this.#writing
  }

  async #writeWaiting(): Promise<void> {
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = undefined
      try {
        await this.#write(next.text())
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  async #write(text: string): Promise<void> {
    const temporary = `${this.#path}.tmp`
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, this.#path)
    await syncFolder(dirname(this.#path))
  }
}

/** Before this, a crash of the machine may bring the old name back. Windows can't do it and need not. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
