import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { archiveClasses, type ArchiveGrowth, type DiskRecord } from '@gatehouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'
import { factsBytes } from './files/run-line.ts'

interface GrowthOptions {
  /** On a connection for long reads. */
  longReads: Pick<Stores, 'archive' | 'archivedRuns'>
  clock: Clock
  /** The bytes of the database. */
  databaseSize: () => Promise<{ used: number; reusable: number }>
  /** The folder of the database; undefined: its server has a disk of its own. */
  databaseFolder: string | undefined
  archiveFolder: string
}

/** Of the newest runs these many are measured, whatever the database holds. */
const sampledRuns = 1000
const dayMs = 86_400_000
const paceDays = 7

/** What database and archive hold, and how fast they grow. Costs the same however many runs there are. */
export class ArchiveGrowthFigures {
  readonly #options: GrowthOptions

  constructor(options: GrowthOptions) {
    this.#options = options
  }

  async read(): Promise<ArchiveGrowth> {
    const { longReads, databaseSize, databaseFolder, archiveFolder } = this.#options
    const totals = await longReads.archive.totals()
    const size = await databaseSize()
    const pace = await this.#pace(size.used, totals.bytes)
    return {
      classes: await this.#classes(),
      files: totals.files,
      archived_runs: totals.lines,
      database: toDisk(size, await freeBytes(databaseFolder), pace?.database ?? null),
      archive: toDisk(
        { used: totals.bytes, reusable: 0 },
        await freeBytes(archiveFolder),
        pace?.archive ?? null,
      ),
    }
  }

  async #classes(): Promise<ArchiveGrowth['classes']> {
    const { archivedRuns } = this.#options.longReads
    const newest = await archivedRuns.listNewestRunIds(sampledRuns)
    // What was archived already has no bodies to measure.
    const gone = await archivedRuns.listArchivedOf(newest)
    const ids = newest.filter((id) => !gone.has(id))
    const verdicts = await archivedRuns.judge(ids)
    const facts = ids.length === 0 ? new Map() : await archivedRuns.listFacts(ids)
    return archiveClasses.map((name) => {
      const sizes = verdicts
        .filter((each) => each.class === name)
        .map(({ id }) => factsBytes(facts.get(id)))
      const sum = sizes.reduce((all, each) => all + each, 0)
      const each = sizes.length === 0 ? null : Math.round((sum / sizes.length) * 1000)
      return { class: name, bytes_per_1000_runs: each }
    })
  }

  /** Bytes a day since the oldest measure of the last days; undefined before a day has passed. */
  async #pace(database: number, archive: number) {
    const { longReads, clock } = this.#options
    const nowMs = clock.now().getTime()
    const since = new Date(nowMs - paceDays * dayMs).toISOString().slice(0, 10)
    const before = await longReads.archive.findSizeSince(since)
    const days = before ? (nowMs - Date.parse(before.measured_at)) / dayMs : 0
    if (!before || days < 1) return undefined
    return {
      database: Math.round((database - before.database_bytes) / days),
      archive: Math.round((archive - before.archive_bytes) / days),
    }
  }
}

function toDisk(
  { used, reusable }: { used: number; reusable: number },
  free: number | null,
  pace: number | null,
): DiskRecord {
  const isFilling = free !== null && pace !== null && pace > 0
  return {
    used_bytes: used,
    reusable_bytes: reusable,
    free_bytes: free,
    bytes_per_day: pace,
    days_until_full: isFilling ? Math.floor((free + reusable) / pace) : null,
  }
}

/** What this process may still write there, or to the folder in which it will be made; null where that is unknown. */
async function freeBytes(folder: string | undefined): Promise<number | null> {
  if (folder === undefined) return null
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isMissing && dirname(folder) !== folder ? freeBytes(dirname(folder)) : null
  }
}
