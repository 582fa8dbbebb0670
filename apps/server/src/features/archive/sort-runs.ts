import type { RoundHold, RoundParts } from './round-parts.ts'

const runsAtOnce = 500
/**
 * Younger runs are left out. Nothing stays for less than a day, and ids are given before they are committed:
 * after a day none with a smaller id is still to come.
 */
const ageMs = 86_400_000

/**
 * Gives each run a class and the time of its end, once it is settled. The rounds then find by an index what
 * is due, however many runs stay.
 */
export async function sortRuns(parts: RoundParts, round: RoundHold): Promise<void> {
  await sortNew(parts, round)
  await sortUnsettled(parts, round)
}

async function sortNew(parts: RoundParts, { hold }: RoundHold): Promise<void> {
  const { longReads, inTransaction, clock } = parts
  const before = new Date(clock.now().getTime() - ageMs).toISOString()
  let last = (await inTransaction(({ archive }) => archive.getRound())).sorted_to
  for (;;) {
    await hold()
    const runs = await longReads.archivedRuns.listRunsAfter(last, runsAtOnce)
    const tooYoung = runs.findIndex(({ created_at }) => created_at >= before)
    const some = tooYoung === -1 ? runs : runs.slice(0, tooYoung)
    const to = some.at(-1)?.id
    if (to === undefined) return
    const verdicts = await longReads.archivedRuns.judge(some.map(({ id }) => id))
    await inTransaction(async ({ archive, archivedRuns }) => {
      await archivedRuns.setVerdicts(verdicts)
      await archive.updateRound({ sorted_to: to })
    })
    last = to
  }
}

/** Runs that were not settled may have been since. */
async function sortUnsettled(parts: RoundParts, { hold }: RoundHold): Promise<void> {
  const { longReads, inTransaction } = parts
  for (let last = 0; ;) {
    await hold()
    const ids = await longReads.archivedRuns.listUnsettled(last, runsAtOnce)
    const end = ids.at(-1)
    if (end === undefined) return
    const verdicts = await longReads.archivedRuns.judge(ids)
    const settled = verdicts.filter(({ endedAt }) => endedAt !== null)
    await inTransaction(({ archivedRuns }) => archivedRuns.setVerdicts(settled))
    last = end
  }
}
