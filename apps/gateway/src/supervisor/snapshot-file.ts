import { readFileSync } from 'node:fs'
import { constants, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  isSameRevision,
  withChanges,
  type ConfigSnapshot,
  type RevisionId,
  type SnapshotChanges,
} from '@gatehouse/contract/gateway'

/** Encrypts what the file holds; `open` throws for a text that this key did not seal. */
export interface Seal {
  seal(plain: string): string
  open(sealed: string): string
}

/** Changes that take more than this, and more than the configuration itself, are not added to: it is written whole. */
const changesMinBytes = 256 * 1024

/** What goes to the disk next. */
interface Waiting {
  /** The last one. */
  snapshot: unknown
  /** They lead to it from what the file holds; null: it takes the place of the file. */
  changes: SnapshotChanges[] | null
}

/**
 * The last configuration that the workers took over, so that a start can serve before, or without, the
 * control plane and its database. It holds secrets, and so is encrypted, and its owner's alone. The first
 * line is a configuration, each further one what was changed of it.
 */
export class SnapshotFile {
  readonly #path: string
  readonly #seal: () => Seal
  #waiting: Waiting | undefined
  #writing: Promise<void> | undefined
  /** The last one that was given to `save`; undefined: the file may hold anything. */
  #saved: RevisionId | undefined
  #wholeBytes = 0
  #changesBytes = 0
  readonly #onError: (error: unknown) => void

  /** `seal` is asked when it is needed: on a first start the key is made later than this. */
  constructor(folder: string, seal: () => Seal, onError: (error: unknown) => void) {
    this.#path = join(folder, 'gateway-snapshot.json')
    this.#seal = seal
    this.#onError = onError
  }

  /**
   * Undefined where there is none. Throws where it was changed, cut short or sealed with another key. A last
   * line that was cut short while it was written is left out.
   */
  load(): unknown {
    let sealed: string
    try {
      sealed = readFileSync(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    const [whole = '', ...lines] = sealed.split('\n')
    // Nothing comes after the end of the last line.
    lines.pop()
    const kept: unknown = JSON.parse(this.#seal().open(whole.trim()))
    return lines.reduce<unknown>((snapshot, line) => {
      const changes = JSON.parse(this.#seal().open(line)) as SnapshotChanges
      return withChanges(snapshot as ConfigSnapshot, changes)
    }, kept)
  }

  /**
   * Puts it in the place of the one before, at once or not at all. Of several calls at once, the last counts.
   * `changes` lead to it, and are all that is written if the file has what they change.
   */
  save(snapshot: unknown, changes?: SnapshotChanges): void {
    const isNext = changes !== undefined && isSameRevision(this.#saved, changes.base)
    const isAdded = isNext && !this.#isLong
    const before = this.#waiting ? this.#waiting.changes : []
    this.#waiting = { snapshot, changes: isAdded && before ? [...before, changes] : null }
    const { revision, mark } = snapshot as RevisionId
    this.#saved = { revision, mark }
    this.#writing ??= this.#writeWaiting().finally(() => (this.#writing = undefined))
  }

  /** Settles when everything is on the disk. */
  async flush(): Promise<void> {
    await this.#writing
  }

  get #isLong(): boolean {
    return this.#changesBytes > Math.max(this.#wholeBytes, changesMinBytes)
  }

  async #writeWaiting(): Promise<void> {
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = undefined
      if (next.changes && (await this.#append(next.changes))) continue
      try {
        await this.#writeWhole(next.snapshot)
      } catch (error) {
        this.#saved = undefined
        this.#writeWaitingWhole()
        this.#onError(error)
      }
    }
  }

  /** What it changes is not on the disk. */
  #writeWaitingWhole(): void {
    if (this.#waiting) this.#waiting.changes = null
  }

  async #writeWhole(snapshot: unknown): Promise<void> {
    const text = this.#sealed(snapshot)
    await this.#write(text)
    this.#wholeBytes = text.length
    this.#changesBytes = 0
  }

  #sealed(value: unknown): string {
    return `${this.#seal().seal(JSON.stringify(value))}\n`
  }

  /** False where the file can't be gone on with, as one that was removed. */
  async #append(changes: readonly SnapshotChanges[]): Promise<boolean> {
    try {
      const lines = changes.map((each) => this.#sealed(each)).join('')
      const file = await open(this.#path, constants.O_WRONLY | constants.O_APPEND)
      try {
        await file.writeFile(lines)
        await file.sync()
      } finally {
        await file.close()
      }
      this.#changesBytes += lines.length
      return true
    } catch {
      return false
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
