import { archiveClasses, type ArchiveClass } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import type { DueRuns } from './readers/archived-run-store.ts'
import { factsBytes } from './files/run-line.ts'
import type { RoundParts } from './round-parts.ts'
import type { RunVerdict } from './settled-runs.ts'

const dayMs = 86_400_000
/** What a person had brought back stays for a week. */
const restoredMs = 7 * dayMs
const runsAtOnce = 200
/** Bodies in memory at a time, unless a single run has more. */
const bytesAtOnce = 8 * 1024 * 1024

/** What is due by the settings, class by class; classes that never go are left out. */
export function dueClasses(settings: Row<'archive_setting'>, now: Date): DueRuns[] {
  const days: Record<ArchiveClass, number | null> = {
    test: settings.test_days,
    read: settings.read_days,
    submit: settings.submit_days,
  }
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
  return archiveClasses.flatMap((name) => {
    const kept = days[name]
    return kept === null
      ? []
      : [{ class: name, before: ago(kept * dayMs), restoredBefore: ago(restoredMs) }]
  })
}

/**
 * The runs that are due, in portions that fit into memory. What has changed since it was sorted is judged
 * again, and left out where it is not due any more.
 */
export async function* portionsOf(
  { longReads: { archivedRuns }, inTransaction }: RoundParts,
  which: DueRuns,
): AsyncGenerator<RunVerdict[]> {
  let after: { ended_at: string; run_id: number } | undefined
  for (;;) {
    const rows = await archivedRuns.listDue(which, runsAtOnce, after)
    if (rows.length === 0) return
    after = rows.at(-1)
    const verdicts = await archivedRuns.judge(rows.map(({ run_id }) => run_id))
    const isDue = ({ class: name, endedAt }: RunVerdict) =>
      name === which.class && endedAt !== null && endedAt < which.before
    const others = verdicts.filter((each) => !isDue(each))
    await inTransaction((stores) => stores.archivedRuns.setVerdicts(others))
    const due = verdicts.filter(isDue)
    const facts = await archivedRuns.listFacts(due.map(({ id }) => id))
    let portion: RunVerdict[] = []
    let bytes = 0
    for (const verdict of due) {
      const size = factsBytes(facts.get(verdict.id))
      if (portion.length > 0 && bytes + size > bytesAtOnce) {
        yield portion
        portion = []
        bytes = 0
      }
      portion.push(verdict)
      bytes += size
    }
    if (portion.length > 0) yield portion
  }
}
