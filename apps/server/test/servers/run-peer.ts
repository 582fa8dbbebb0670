import type { WorkflowDefinition } from '@gatehouse/contract'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createAddressGuard,
  createHttpUpstream,
  createUpstream,
  noCredential,
  type Tokens,
} from '@gatehouse/upstream'
import { pino } from 'pino'
import { CallTargets, type ApiCalling } from '../../src/features/endpoints/call-targets.ts'
import { EvidenceFiles } from '../../src/features/runs/engine/evidence-files.ts'
import { Leases } from '../../src/kernel/leases/leases.ts'
import { Ledger } from '../../src/features/runs/ledger/ledger.ts'
import { OutcomeKeeper } from '../../src/features/runs/engine/outcome-keeper.ts'
import { planSteps } from '../../src/features/runs/steps/plan-steps.ts'
import { RunEngine } from '../../src/features/runs/engine/run-engine.ts'
import { PollKeeper } from '../../src/features/runs/pending/poll-keeper.ts'
import { RunContinuer } from '../../src/features/runs/pending/run-continuer.ts'
import { RunFeed } from '../../src/features/runs/ledger/reading/run-feed.ts'
import { StepInquirer } from '../../src/features/runs/actions/status-query/query-step.ts'
import { RunResolver } from '../../src/features/runs/actions/resolve-run.ts'
import { RunResumer } from '../../src/features/runs/actions/resume-run.ts'
import { RunRetrier } from '../../src/features/runs/actions/retry-run.ts'
import type { RunSpans } from '../../src/features/runs/spans/run-spans.ts'
import { SubmitJournal } from '../../src/features/runs/journal/submit-journal.ts'
import { StepSender } from '../../src/features/runs/steps/step-sender.ts'
import { RunStarter } from '../../src/features/runs/engine/run-starter.ts'
import { planWorkflowSteps } from '../../src/features/runs/steps/plan-workflow.ts'
import type { Caller } from '../../src/kernel/caller.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { claimRuns } from '../../src/features/lanes/claim-runs.ts'
import { createLanes } from '../../src/features/lanes/create-lanes.ts'
import { LaneRates } from '../../src/features/lanes/rates/lane-rates.ts'
import { QueuedOpener } from '../../src/features/lanes/queued-opener.ts'
import {
  createStores,
  inTransactionOn,
  readTogetherOn,
  type InTransaction,
} from '../../src/stores.ts'
import { callOf } from '../rows/call-of.ts'
import type { TestServer } from './build-server.ts'

export type RunPeer = ReturnType<typeof createRunPeer>

/** Calls only the test's own upstreams; the caller closes it. */
export const createPeerUpstream = (
  options: Omit<Parameters<typeof createHttpUpstream>[0], 'guard'> = {},
) =>
  createHttpUpstream({
    ...options,
    guard: createAddressGuard({ allow: [], deny: [], own: () => [] }),
  })

/** A server passes it before and after each transaction, and before each call. */
export type Gate = (where: string) => Promise<void>

const gatedTransactions =
  (inTransaction: InTransaction, gate: Gate): InTransaction =>
  async (...work) => {
    await gate('transaction')
    const result = await inTransaction(...work)
    await gate('commit')
    return result
  }

const noProcedures = () => {
  throw new Error('A peer calls no procedures.')
}

const noTokens: Tokens = {
  token: () => Promise.reject(new Error('A peer obtains no tokens.')),
  renewRefused: async () => undefined,
}

/** The runs of another server on the same database. It dies when the test drops it. */
export function createRunPeer(
  server: TestServer,
  http: ReturnType<typeof createPeerUpstream>,
  owner: string,
  tokens: Tokens = noTokens,
  calling: Partial<ApiCalling> = {},
  clock: Clock = { now: () => server.time.now },
  spans?: RunSpans,
  gate?: Gate,
) {
  const committing = inTransactionOn(server.db, clock)
  const inTransaction = gate ? gatedTransactions(committing, gate) : committing
  const stores = createStores(server.db, clock)
  const leases = new Leases(owner, clock)
  const feed = new RunFeed()
  const upstream = createUpstream({
    http,
    procedures: { call: noProcedures },
    onProcedureAnswered: noProcedures,
  })
  const sender = new StepSender(upstream, tokens)
  const ledger = new Ledger({
    inTransaction,
    clock,
    leases,
    feed,
    onRecovered: (run) => spans?.recovered(run),
  })
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const files = new EvidenceFiles(join(tmpdir(), `gatehouse-peer-${randomUUID()}`))
  const outcomes = new OutcomeKeeper({ ledger, leases, files, inTransaction, feed, clock, log })
  const journal = new SubmitJournal(join(tmpdir(), `gatehouse-peer-${randomUUID()}`))
  const engine = new RunEngine({ ledger, leases, outcomes, sender, journal, spans, clock, log })
  const starter = new RunStarter(inTransaction, ledger, (from) => spans?.begin(from) ?? null)
  const targets = new CallTargets({
    endpoints: stores.endpoints,
    findWorkflowAccess: stores.access.findWorkflowAccess,
    readTogether: readTogetherOn(server.db, clock),
    procedureTargetOf: noProcedures,
    callingOf: () => ({
      credential: noCredential,
      testCredential: null,
      tls: null,
      staticHeaders: [],
      ...calling,
    }),
  })
  const caller = {
    user: { ...server.admin, name: 'admin', roles: [], permissions: [] },
    sessionId: 1,
    isSuperAdmin: true,
  } as unknown as Caller

  const rates = new LaneRates({ inTransaction, clock, log, server: owner })
  const permitsOf = (workflowId: number | null) => rates.ofWorkflow(workflowId)
  const { archived } = server
  const common = { targets, inTransaction, engine, clock, leases, permitsOf, archived }
  const continuer = new RunContinuer({
    ...common,
    log,
    callerOf: async () => caller,
  })
  const polls = new PollKeeper({ ...common, polls: stores.polls, sender, feed, log, continuer })
  const actions = {
    resumer: new RunResumer(common),
    resolver: new RunResolver({ ...common, feed }),
    inquirer: new StepInquirer({ ...common, feed, sender, polls }),
    retrier: new RunRetrier({ ...common, starter }),
  }
  /** A call of the admin, with the parts that runs use. */
  const context = () => callOf(caller)

  /** Makes a tax run of these steps, as a request would. */
  async function start(steps: readonly { endpointId: number; body: string }[], key?: string) {
    const planned = await planSteps(
      steps.map((step, index) => ({
        ...step,
        position: index + 1,
        token: '',
        dependencyField: null,
      })),
      { targets, caller, isTest: false },
    )
    return starter.start({
      kind: 'tax',
      isTest: false,
      steps: planned,
      key,
      isContentKey: true,
      confirmsHeld: false,
      caller,
      requestId: 'request',
      from: { address: '127.0.0.1' },
    })
  }

  /** Makes a run of a saved workflow and carries it out here, without its lane. */
  async function runWorkflow(
    workflow: { id: number; version: number },
    definition: Pick<WorkflowDefinition, 'steps'>,
    inputText: string,
    by: Caller = caller,
  ) {
    const right = { workflowId: workflow.id }
    const moment = { now: clock.now().toISOString(), seed: 'test' }
    const options = { targets, caller: by, isTest: false, moment, right }
    const started = await starter.start({
      kind: 'general',
      isTest: false,
      steps: await planWorkflowSteps(definition, inputText, options),
      key: undefined,
      isContentKey: false,
      confirmsHeld: false,
      caller: by,
      requestId: 'request',
      from: { address: '127.0.0.1' },
      workflow: { ...workflow, inputText },
    })
    if (started.what === 'replay') return started.runId
    await engine.carryOut(started.live)
    return started.live.id
  }

  const carrying = { targets, ledger, leases, feed, engine, spans }
  const readFigures = stores.lanes.listFigures
  const lanes = createLanes({ inTransaction, clock, log, rates, carrying, readFigures })
  const opener = new QueuedOpener({ ...carrying, inTransaction, log })
  /** Takes queued runs as its dispatcher does, and does nothing with them. */
  const take = (laneId: number) =>
    inTransaction((within) =>
      claimRuns(within, {
        laneId,
        lease: { owner, until: leases.until() },
        now: clock.now().toISOString(),
        count: () => Promise.resolve({ calls: 0, waitMs: 0 }),
      }),
    )

  return {
    ledger,
    leases,
    outcomes,
    engine,
    polls,
    stores,
    lines,
    start,
    runWorkflow,
    context,
    ...actions,
    dispatcher: lanes.dispatcher,
    rates,
    opener,
    take,
  }
}
