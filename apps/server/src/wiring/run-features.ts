import { createUpstream } from '@gatehouse/upstream'
import type { AppCore, AppOptions } from '../app-core.ts'
import { createArchivedBodies } from '../features/archive/create-archive.ts'
import { createSavedMappings } from '../features/saved-mappings/create-saved-mappings.ts'
import { createBuildRequest } from '../features/build-request/create-build-request.ts'
import { createBundles } from '../features/bundles/create-bundles.ts'
import { createDocuments } from '../features/documents/create-documents.ts'
import { Duty } from '../features/duties/duty.ts'
import type { createEndpoints } from '../features/endpoints/create-endpoints.ts'
import { createLanes } from '../features/lanes/create-lanes.ts'
import { LaneRates } from '../features/lanes/rates/lane-rates.ts'
import { queuePlaceOf } from '../features/lanes/queue-place.ts'
import type { createProcedures } from '../features/procedures/create-procedures.ts'
import { createRuns } from '../features/runs/create-runs.ts'
import { RunSpans } from '../features/runs/spans/run-spans.ts'
import { markSent } from '../features/runs/journal/mark-sent.ts'
import type { TraceFor } from '../features/runs/ledger/reading/run-trace.ts'
import { callerOf } from '../features/session/caller-of.ts'
import type { createSessions } from '../features/session/create-sessions.ts'
import { createWorkflows } from '../features/workflows/definitions/create-workflows.ts'
import { inputProblems } from '../features/workflows/definitions/input-schemas.ts'
import { createBatches } from '../features/workflows/batches/create-batches.ts'
import { ListFetcher } from '../features/workflows/lists/list-fetcher.ts'
import { AgentWorkflows } from '../features/workflows/agents/agent-workflows.ts'
import { CallViewer } from '../features/workflows/agents/call-viewer.ts'
import { CallHolder } from '../features/runs/release/call-holder.ts'
import { createReleases } from '../features/workflows/releases/create-releases.ts'
import { createWorkflowRuns } from '../features/workflows/runs/create-workflow-runs.ts'

interface Needed {
  sessions: ReturnType<typeof createSessions>
  endpoints: ReturnType<typeof createEndpoints>
  procedures: ReturnType<typeof createProcedures>
}

/** Wires what sends: the runs, the lanes that carry queued ones out, and what becomes a run. */
export function createRunFeatures(core: AppCore, options: AppOptions, needed: Needed) {
  const { common, longReads } = core
  const { stores, clock } = common
  const { instanceId: owner, runLog: log } = options
  const { dataDir } = options.settings
  const isSessionOpen = (id: number) => needed.sessions.service.isOpen(id)
  const archived = createArchivedBodies({ ...common, owner, folder: options.settings.archiveDir })
  const rates = new LaneRates({ ...common, log, server: owner })
  const { spans: spanSettings, internalNetworks } = options.settings
  const spans =
    spanSettings === null
      ? undefined
      : new RunSpans({
          settings: spanSettings,
          internalNetworks,
          ledger: longReads.runHistory,
          clock,
          log,
        })
  const traceFor: TraceFor = (from) => spans?.begin(from) ?? null
  const runs = createRuns({
    ...common,
    upstream: createUpstream({
      http: options.upstream,
      procedures: options.procedures,
      onProcedureAnswered: needed.procedures.observe,
    }),
    tokens: core.signIn.service,
    targets: needed.endpoints.targets,
    log,
    owner,
    dataDir,
    longReads: longReads.runHistory,
    isSessionOpen,
    callerOf: (userId) => callerOf(stores, userId),
    permitsOf: (workflowId) => rates.ofWorkflow(workflowId),
    queuePlaceOf,
    archived: archived.bodies,
    spans,
    healing: {
      most: options.settings.healing,
      duty: new Duty({ ...common, name: 'healing', owner }),
    },
    traceFor,
  })
  const { carrying, sending } = runs
  const readFigures = longReads.lanes.listFigures
  const lanes = createLanes({ ...common, log, rates, carrying, readFigures })
  const workflows = createWorkflows({
    ...sending,
    clock,
    guard: options.guard,
    secrets: options.secrets,
  })
  const wake = (laneId: number) => lanes.dispatcher.wake(laneId)
  const ofWorkflows = { ...common, inputProblems, traceFor, wake, archived: archived.bodies }
  const batches = createBatches({
    ...ofWorkflows,
    longReads: longReads.batches,
    owner,
    dataDir,
    isSessionOpen,
  })
  const workflowRuns = createWorkflowRuns({
    ...ofWorkflows,
    feed: carrying.feed,
    recheck: (caller) => core.again(stores, caller),
  })
  const agentWorkflows = new AgentWorkflows({
    stores,
    caller: workflowRuns.caller,
    service: workflowRuns.service,
    holder: new CallHolder({ ...common, targets: sending.targets, feed: carrying.feed, traceFor }),
    calls: new CallViewer(stores, archived.bodies),
    holderOf: async (token, call) => {
      const holder = await core.tokenCheck.authenticate(stores, token, call)
      // As the guard has it: what a token opens is decided by access.
      return holder && { ...holder, access: 'session' }
    },
    log,
  })
  options.gateway?.onAgentAsked((question) => agentWorkflows.answer(question))
  const { journal } = runs
  return {
    archived,
    runs,
    /** What this server has submitted, for a look after a restore. */
    journal: {
      last: () => journal.last(),
      keepNoted: () => journal.keepNoted(),
      takeNoted: () => journal.takeNoted(),
      mark: () =>
        markSent({
          inTransaction: common.inTransaction,
          entries: journal.read(),
          owner,
          now: () => clock.now().toISOString(),
        }),
    },
    /** Undefined where spans of runs are off. */
    spans,
    lanes,
    workflows,
    batches,
    /** Starts runs of workflows for those who are no caller: schedules, webhooks. */
    starter: workflowRuns.starter,
    lists: new ListFetcher(sending.targets, runs.sender),
    /** All of them, to be mounted. */
    features: [
      createSavedMappings({ inTransaction: common.inTransaction, clock }),
      createBuildRequest({ ...sending, clock }),
      createBundles({ ...sending, history: stores.runHistory }),
      runs,
      lanes,
      createDocuments(longReads.documentHistory),
      workflows,
      batches,
      workflowRuns,
      createReleases({ ...common, ...carrying, log, wake }),
    ],
  }
}
