import type { KnownRun } from './idempotency.ts'
import { mayBeAccepted } from './run-state.ts'
import type { RunRow, RunStore } from './run-store.ts'

/** Looks up of runs what decides whether they may be sent again, in few queries. */
export async function toKnownRuns(runs: RunStore, rows: readonly RunRow[]): Promise<KnownRun[]> {
  if (rows.length === 0) return []
  const steps = await runs.listStates(rows.map(({ id }) => id))
  const known: KnownRun[] = []
  for (const row of rows) {
    const own = steps.filter((step) => step.run_id === row.id)
    const successor = await runs.findRetryOf(row.id)
    known.push({
      id: row.id,
      state: row.state,
      contentHash: row.content_sha256,
      mayBeAccepted:
        mayBeAccepted(own) || (row.state === 'blocked' && (await isForeign(runs, row.id))),
      hasSubmit: own.some(({ effect }) => effect === 'submit'),
      retriedBy: successor?.id ?? null,
    })
  }
  return known
}

/** The endpoint said that it has the document from somebody else. */
export async function isForeign(runs: RunStore, runId: number): Promise<boolean> {
  const outcomes = await runs.listOutcomes(runId)
  return outcomes.findLast(({ outcome }) => outcome !== null)?.outcome === 'duplicate'
}
