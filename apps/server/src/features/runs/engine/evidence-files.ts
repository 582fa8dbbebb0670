import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runEvidence, withoutBody, type RunEvidence } from './run-evidence.ts'

/** Beyond this many bytes in the folder, files are written without the bodies of answers. */
const bodiesMaxBytes = 64 * 1024 * 1024
/** Beyond this many files nothing more is written. */
const filesMax = 10_000

export interface FoundEvidence {
  name: string
  /** Undefined: the file is damaged. */
  evidence: RunEvidence | undefined
}

/**
 * The folder of outcomes that the ledger could not take: a file for each attempt, written whole or not
 * at all, and on the disk when `put` resolves.
 */
export class EvidenceFiles {
  readonly #folder: string
  #bytes = 0
  #count = 0

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'run-evidence')
  }

  /** Throws where the file can't be written, or the folder is full. */
  async put(evidence: RunEvidence): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    if (this.#count >= filesMax) throw new Error(`${this.#folder} holds ${filesMax} files already.`)
    const text = JSON.stringify(this.#bytes > bodiesMaxBytes ? withoutBody(evidence) : evidence)
    this.#count++
    this.#bytes += text.length
    const path = this.#pathOf(evidence)
    const file = await open(`${path}.new`, 'w', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(`${path}.new`, path)
    await this.#syncFolder()
  }

  async remove(evidence: Pick<RunEvidence, 'attempt_id'>): Promise<void> {
    await rm(this.#pathOf(evidence), { force: true })
  }

  /** What the folder holds, the oldest attempt first. */
  async list(): Promise<FoundEvidence[]> {
    const found = await readdir(this.#folder).catch(noFolder)
    const names = found.filter((name) => /^\d+\.json$/.test(name))
    this.#count = names.length
    this.#bytes = 0
    const all: FoundEvidence[] = []
    for (const name of names.toSorted((a, b) => Number.parseInt(a) - Number.parseInt(b))) {
      const path = join(this.#folder, name)
      this.#bytes += (await stat(path)).size
      all.push({ name, evidence: parse(await readFile(path, 'utf8')) })
    }
    return all
  }

  /** Keeps a file that can't be used from being read again; a person may look at it. */
  async setAside(name: string): Promise<void> {
    const path = join(this.#folder, name)
    await rename(path, `${path}.damaged`)
  }

  #pathOf({ attempt_id }: Pick<RunEvidence, 'attempt_id'>): string {
    return join(this.#folder, `${attempt_id}.json`)
  }

  /** The name of a new file is safe only when its folder is on the disk too. Windows has no such call. */
  async #syncFolder(): Promise<void> {
    if (process.platform === 'win32') return
    const folder = await open(this.#folder, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }
}

function parse(text: string): RunEvidence | undefined {
  try {
    return runEvidence.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function noFolder(error: unknown): string[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw error
}
