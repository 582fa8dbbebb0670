import type { Clock } from '../../../kernel/clock.ts'
import type { EndedRuns, Stores } from '../../../stores.ts'
import { viewWorkflowRun } from '../runs/workflow-run-view.ts'
import type { CallbackUrls, WorkflowVersion } from './callback-urls.ts'

interface ReporterOptions {
  urls: CallbackUrls
  clock: Clock
}

/**
 * Leaves the results of runs in the outbox, in the transaction that ends or settles them. Costs nothing for
 * runs whose workflow has no callback. Results about one document go in their order.
 */
export function runReporter({ urls, clock }: ReporterOptions) {
  return async (stores: Stores, ended: EndedRuns): Promise<void> => {
    for (const [runId, known] of ended) {
      const of = known === 'unknown' ? await stores.callbacks.findVersionOf(runId) : known
      const url = of ? await urls.of(stores, of) : null
      if (of && url !== null) await report(stores, { runId, of, url, at: clock.now() })
    }
  }
}

interface Report {
  runId: number
  of: WorkflowVersion
  url: string
  at: Date
}

async function report(stores: Stores, { runId, of, url, at }: Report): Promise<void> {
  const row = await stores.callbacks.findRun(runId)
  // Another statement of the same transaction may have sent it back to its lane.
  if (!row || row.state === 'queued' || row.state === 'running') return
  const run = await viewWorkflowRun(stores, row, false)
  const type = `run.${row.state}`
  const subject = row.reference === null ? `run:${runId}` : `reference:${row.reference}`
  await stores.deliveries.insert({
    kind: 'callback',
    channel: 'webhook',
    subject: type,
    target: { url, secret: { of: 'workflow', id: of.id } },
    payload: JSON.stringify({ type, timestamp: at.toISOString(), data: { run } }),
    orderKey: `workflow:${of.id}:${subject}`,
    workflowId: of.id,
    runId,
    batchId: row.batch_id,
  })
}
