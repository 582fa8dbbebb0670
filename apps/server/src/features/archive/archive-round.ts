import { removeBodies } from './remove-bodies.ts'
import { dueClasses, portionsOf } from './due-runs.ts'
import type { RoundProgress } from './round-progress.ts'
import type { RoundHold, RoundParts } from './round-parts.ts'
import type { RunVerdict } from './settled-runs.ts'
import { sortRuns } from './sort-runs.ts'
import { sweepUnfinished } from './sweep-unfinished.ts'
import { writeFile } from './write-file.ts'

/**
 * One round: goes on with what a server left behind, finds what is due, and moves it into files, one after
 * the other. It may be ended between any two steps; the next round goes on.
 */
export async function archiveRound(
  parts: RoundParts,
  round: RoundHold,
  progress: RoundProgress,
): Promise<void> {
  await sweepUnfinished(parts)
  await finishFiles(parts, round, progress)
  await progress.enter('sorting')
  await sortRuns(parts, round)
  const { inTransaction, longReads, clock } = parts
  const settings = await inTransaction(({ archive }) => archive.getSettings())
  const classes = dueClasses(settings, clock.now())
  for (const each of classes) progress.due += await longReads.archivedRuns.countDue(each)
  const portions = allPortions(parts, classes)
  for (;;) {
    await progress.enter('writing')
    const file = await writeFile(parts, portions, {
      ...round,
      onWritten: (runs) => progress.add({ written: runs }),
      onChecking: () => progress.enter('checking'),
    })
    if (!file) return
    await remove(parts, file, round, progress)
  }
}

/** Files of this server that are complete, while some of their runs still have their bodies. */
async function finishFiles(parts: RoundParts, round: RoundHold, progress: RoundProgress) {
  const { inTransaction, threads, folder, owner } = parts
  const files = await inTransaction(({ archive }) => archive.listFiles('verified', owner))
  for (const { id } of files) {
    const file = await inTransaction(({ archive }) => archive.findFile(id))
    if (!file) continue
    await progress.enter('checking')
    await threads.round('check', { file: { folder, ...file } })
    await remove(parts, file, round, progress)
  }
}

async function remove(
  parts: RoundParts,
  file: Parameters<typeof removeBodies>[1],
  round: RoundHold,
  progress: RoundProgress,
): Promise<void> {
  await progress.enter('removing')
  await removeBodies(parts, file, {
    ...round,
    onRemoved: (runs) => progress.add({ removed: runs }),
  })
}

async function* allPortions(
  parts: RoundParts,
  classes: ReturnType<typeof dueClasses>,
): AsyncGenerator<RunVerdict[]> {
  for (const each of classes) yield* portionsOf(parts, each)
}
