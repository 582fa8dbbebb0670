import type { KnownRun } from '../idempotency.ts'
import { mayBeAccepted } from '../run-state.ts'
import type { RunRow, RunStore } from '../run-store.ts'

/** Looks up what decides whether runs may be sent again, in three queries at most. */
export async function toKnownRuns(runs: RunStore, rows: readonly RunRow[]): Promise<KnownRun[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const steps = Map.groupBy(await runs.listStates(ids), ({ run_id }) => run_id)
  const retries = await runs.listRetriesOf(ids)
  const successors = new Map(retries.map(({ id, retry_of }) => [retry_of, id]))
  const foreign = await foreignAmong(
    runs,
    rows.filter(({ state }) => state === 'blocked'),
  )
  return rows.map((row) => {
    const own = steps.get(row.id) ?? []
    return {
      id: row.id,
      state: row.state,
      contentHash: row.content_sha256,
      mayBeAccepted: mayBeAccepted(own) || foreign.has(row.id),
      hasSubmit: own.some(({ effect }) => effect === 'submit'),
      retriedBy: successors.get(row.id) ?? null,
    }
  })
}

/** The runs whose endpoint answered last that another sender had sent the document. */
async function foreignAmong(runs: RunStore, rows: readonly RunRow[]): Promise<Set<number>> {
  if (rows.length === 0) return new Set()
  const outcomes = await runs.listOutcomesOf(rows.map(({ id }) => id))
  const last = new Map(outcomes.map(({ run_id, outcome }) => [run_id, outcome]))
  return new Set([...last].flatMap(([id, outcome]) => (outcome === 'duplicate' ? [id] : [])))
}
