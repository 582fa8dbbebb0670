import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { ArchivedRuns } from '../../runs/ledger/reading/archived-runs.ts'
import type { TraceFor } from '../../runs/ledger/reading/run-trace.ts'
import type { RunFeed } from '../../runs/ledger/reading/run-feed.ts'
import type { InputProblems } from './stored-rules.ts'
import { RunnableVersions } from './runnable.ts'
import { RunWaiter } from './run-waiter.ts'
import { WorkflowRunCaller } from './workflow-run-caller.ts'
import { workflowRunRoutes } from './workflow-run-routes.ts'
import { WorkflowRunService } from './workflow-run-service.ts'
import { WorkflowRunStarter } from './workflow-run-starter.ts'

interface WorkflowRunsOptions {
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  feed: RunFeed
  inputProblems: InputProblems
  traceFor: TraceFor
  /** Tells the lane that a run was queued. */
  wake: (laneId: number) => void
  recheck: (caller: Caller) => Promise<void>
  archived: ArchivedRuns
}

/** Wires the runs of workflows that machines and people start and look at. */
export function createWorkflowRuns(options: WorkflowRunsOptions) {
  const { stores, feed, recheck } = options
  const service = new WorkflowRunService(stores, options.archived)
  const starter = new WorkflowRunStarter({ ...options, versions: new RunnableVersions(stores) })
  const waiter = new RunWaiter({
    feed,
    recheck,
    stateOf: async (runId) => (await stores.runs.findState(runId))?.state,
  })
  const caller = new WorkflowRunCaller({ starter, waiter, service })
  return {
    starter,
    caller,
    service,
    mountOn: (app: FastifyInstance) => {
      workflowRunRoutes(app, service, caller)
      app.addHook('preClose', async () => waiter.close())
    },
  }
}
