import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runEvidence, withoutBody, type RunEvidence } from './run-evidence.ts'

/** When the folder is larger than this, files are written without the bodies of answers. */
const bodiesMaxBytes = 64 * 1024 * 1024
/** The folder takes this many files. */
const filesMax = 10_000

interface FoundEvidence {
  name: string
  /** Undefined: the file is damaged. */
  evidence: RunEvidence | undefined
}

/**
 * The folder of outcomes that could not be stored in the ledger. Each attempt has a file, which is
 * written whole or not at all. It is on the disk when `put` resolves.
 */
export class EvidenceFiles {
  readonly #folder: string
  #bytes = 0
  #count = 0

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'run-evidence')
  }

  /** Throws where the file can't be written or the folder is full. */
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

  /** Lists the folder, the oldest attempt first. */
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

  /** Renames a file that can't be used, so that it is not read again. A person may look at it. */
  async setAside(name: string): Promise<void> {
    const path = join(this.#folder, name)
    await rename(path, `${path}.damaged`)
  }

  #pathOf({ attempt_id }: Pick<RunEvidence, 'attempt_id'>): string {
    return join(this.#folder, `${attempt_id}.json`)
  }

  /** A new name survives a power cut only after its folder is synced. Windows has no such call. */
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
