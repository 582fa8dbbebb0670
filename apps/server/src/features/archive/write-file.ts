import { mkdir, statfs } from 'node:fs/promises'
import type { FileRow, WrittenFile } from './archive-store.ts'
import { FileFailure } from './files/archive-threads.ts'
import { manifestNameOf, type Manifest } from './files/manifest.ts'
import type { RoundHold, RoundParts } from './round-parts.ts'
import type { RunVerdict } from './settled-runs.ts'

interface WritingOptions extends RoundHold {
  /** Called with the number of runs after each portion. */
  onWritten: (runs: number) => Promise<void>
  onChecking: () => Promise<void>
}

/**
 * Writes one file of the archive, with its manifest, from portions of runs, and checks it as it lies on the
 * disk. Returns undefined where no portion is left. Until this resolves the database holds everything.
 */
export async function writeFile(
  parts: RoundParts,
  portions: AsyncIterator<RunVerdict[]>,
  options: WritingOptions,
): Promise<WrittenFile | undefined> {
  const first = await portions.next()
  if (first.done) return undefined
  const { inTransaction, clock, owner, folder } = parts
  const ask = parts.threads.round
  await refuseFullDisk(parts)
  const started_at = clock.now().toISOString()
  const { id, name } = await inTransaction(({ archive }) =>
    archive.insertFile({ server: owner, started_at }),
  )
  await ask('begin', { folder, name })
  try {
    await fill(parts, first.value, portions, options)
    await options.onChecking()
    const previous = await inTransaction(({ archive }) => archive.findFileBefore())
    const { manifest, sha256 } = await ask('finish', {
      written_at: clock.now().toISOString(),
      server: owner,
      previous: previous
        ? { name: manifestNameOf(previous.name), sha256: previous.manifest_sha256 }
        : null,
    })
    const file = factsOf(manifest, sha256, previous)
    await ask('check', { file: { folder, ...file, manifest_sha256: sha256 } })
    await options.hold()
    return await settle(parts, id, file, previous)
  } catch (error) {
    await ask('abandon', {}).catch(() => {})
    throw error
  }
}

async function fill(
  parts: RoundParts,
  first: RunVerdict[],
  portions: AsyncIterator<RunVerdict[]>,
  { hold, onWritten }: WritingOptions,
): Promise<void> {
  const { longReads, threads, bounds } = parts
  let portion: RunVerdict[] | undefined = first
  while (portion) {
    const runs = await longReads.archivedRuns.listLines(portion)
    const written = await threads.round('append', { runs })
    await onWritten(runs.length)
    await hold()
    if (written.bytes >= bounds.fileBytes || written.lines >= bounds.fileLines) return
    const next = await portions.next()
    portion = next.done ? undefined : next.value
  }
}

const factsOf = (manifest: Manifest, sha256: string, previous: WrittenFile | undefined) => ({
  name: manifest.name,
  bytes: manifest.bytes,
  content_bytes: manifest.content_bytes,
  sha256: manifest.sha256,
  content_sha256: manifest.content_sha256,
  manifest_sha256: sha256,
  previous_id: previous?.id ?? null,
  lines: manifest.lines,
  first_run_id: manifest.first_run.id,
  last_run_id: manifest.last_run.id,
  first_at: manifest.first_run.created_at,
  last_at: manifest.last_run.created_at,
  written_at: manifest.written_at,
})

/** Says in the database that the file holds. Throws where another server wrote one meanwhile. */
function settle(
  { inTransaction }: RoundParts,
  id: number,
  file: Partial<FileRow>,
  previous: WrittenFile | undefined,
): Promise<WrittenFile> {
  return inTransaction(async ({ archive }) => {
    const last = await archive.findFileBefore()
    if (last?.id !== previous?.id) throw new Error('Another server has written a file meanwhile.')
    await archive.updateFile(id, { ...file, state: 'verified' })
    const stored = await archive.findFile(id)
    if (!stored) throw new Error(`File ${id} of the archive is gone.`)
    return stored
  })
}

/** A disk that becomes full would stop more than the archive: some room is left to others. */
async function refuseFullDisk({ folder, bounds }: RoundParts): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bounds.freeBytesMin) return
  const text = `${folder} has ${Math.floor((bavail * bsize) / 1_048_576)} MiB left.`
  throw new FileFailure('disk_full', text)
}
