import { setTimeout as pause } from 'node:timers/promises'
import type { WrittenFile } from './archive-store.ts'
import type { KeptFile, LineEntry } from './files/file-reader.ts'
import { fingerprintOf } from './files/run-line.ts'
import { monotonicMs, type RoundHold, type RoundParts } from './round-parts.ts'
import type { Stores } from '../../stores.ts'

/** Blocks of a file whose lines are in memory at a time. */
const blocksAtOnce = 8

interface RemovingOptions extends RoundHold {
  /** Called with the number of runs after each transaction. */
  onRemoved: (runs: number) => Promise<void>
}

/**
 * Removes the bodies and answers of the runs that a checked file holds, as the file itself lists them: so
 * that a server which dies goes on from the file. A run that has changed since it was written stays as it
 * is, and is written again later.
 */
export async function removeBodies(
  parts: RoundParts,
  file: WrittenFile,
  { hold, onRemoved }: RemovingOptions,
): Promise<void> {
  const { inTransaction, threads, folder, bounds, clock } = parts
  const kept: KeptFile = { folder, ...file }
  for (let from: number | null = 0; from !== null;) {
    const { entries, next }: { entries: LineEntry[]; next: number | null } = await threads.round(
      'lines',
      { file: kept, from, count: blocksAtOnce },
    )
    for (let at = 0; at < entries.length; at += bounds.runsAtOnce) {
      await hold()
      const some = entries.slice(at, at + bounds.runsAtOnce)
      const startedMs = monotonicMs(clock)
      const removed = await inTransaction((stores) => removeSome(stores, file.id, some))
      await onRemoved(removed)
      // Runs get the database for as long as this took.
      await pause(monotonicMs(clock) - startedMs)
    }
    from = next
  }
  await inTransaction(({ archive }) => archive.updateFile(file.id, { state: 'done' }))
}

async function removeSome(
  { archivedRuns, search }: Stores,
  fileId: number,
  entries: readonly LineEntry[],
): Promise<number> {
  const ids = entries.map(({ runId }) => runId)
  await archivedRuns.lockRuns(ids)
  const places = await archivedRuns.listPlaces(ids)
  const here = new Set(places.flatMap(({ run_id, file_id }) => (file_id === null ? [run_id] : [])))
  const settled = new Set(
    (await archivedRuns.judge(ids)).flatMap(({ id, endedAt }) => (endedAt === null ? [] : [id])),
  )
  const facts = await archivedRuns.listFacts(ids)
  const same = entries.filter(({ runId, fingerprint }) => {
    const found = facts.get(runId)
    return here.has(runId) && settled.has(runId) && found && fingerprintOf(found) === fingerprint
  })
  if (same.length === 0) return 0
  await archivedRuns.removeBodies(
    same.map(({ runId, line, at, bytes, sha256 }) => ({
      run_id: runId,
      file_id: fileId,
      line,
      block_at: at,
      block_bytes: bytes,
      sha256,
    })),
  )
  // Their words leave the search with them.
  await search.forget(same.map(({ runId }) => runId))
  return same.length
}
