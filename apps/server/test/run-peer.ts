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
import { CallTargets, type ApiCalling } from '../src/features/endpoints/call-targets.ts'
import { EvidenceFiles } from '../src/features/runs/engine/evidence-files.ts'
import { Leases } from '../src/features/runs/ledger/leases.ts'
import { Ledger } from '../src/features/runs/ledger/ledger.ts'
import { OutcomeKeeper } from '../src/features/runs/engine/outcome-keeper.ts'
import { planSteps } from '../src/features/runs/steps/plan-steps.ts'
import { RunEngine } from '../src/features/runs/engine/run-engine.ts'
import { RunFeed } from '../src/features/runs/ledger/run-feed.ts'
import { RunResolver } from '../src/features/runs/actions/resolve-run.ts'
import { RunResumer } from '../src/features/runs/actions/resume-run.ts'
import { RunRetrier } from '../src/features/runs/actions/retry-run.ts'
import { StepSender } from '../src/features/runs/steps/step-sender.ts'
import { RunStarter } from '../src/features/runs/engine/run-starter.ts'
import type { Caller } from '../src/kernel/caller.ts'
import type { CallContext } from '../src/kernel/mount.ts'
import { createStores, inTransactionOn } from '../src/stores.ts'
import type { TestServer } from './build-server.ts'

export type RunPeer = ReturnType<typeof createRunPeer>

/** Calls only the test's own upstreams; the caller closes it. */
export const createPeerUpstream = () =>
  createHttpUpstream({ guard: createAddressGuard({ allow: [], deny: [], own: () => [] }) })

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
) {
  const clock = { now: () => server.time.now }
  const inTransaction = inTransactionOn(server.db, clock)
  const stores = createStores(server.db, clock)
  const leases = new Leases(owner, clock)
  const feed = new RunFeed()
  const upstream = createUpstream({
    http,
    procedures: { call: noProcedures },
    onProcedureAnswered: noProcedures,
  })
  const sender = new StepSender(upstream, tokens)
  const ledger = new Ledger({ inTransaction, clock, leases, feed })
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const files = new EvidenceFiles(join(tmpdir(), `gatehouse-peer-${randomUUID()}`))
  const outcomes = new OutcomeKeeper({ ledger, leases, files, inTransaction, feed, clock, log })
  const engine = new RunEngine({ ledger, leases, outcomes, sender, log })
  const starter = new RunStarter(inTransaction, ledger)
  const targets = new CallTargets({
    endpoints: stores.endpoints,
    findApi: stores.apis.find,
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

  const common = { targets, inTransaction, engine, clock, leases }
  const actions = {
    resumer: new RunResumer(common),
    resolver: new RunResolver({ ...common, feed, sender }),
    retrier: new RunRetrier({ ...common, starter }),
  }
  /** A call of the admin, with the parts that runs use. */
  const context = (): CallContext => ({
    caller,
    requestId: 'request',
    address: '192.0.2.1',
    signal: new AbortController().signal,
    isSecure: false,
    header: () => undefined,
    setHeader: () => {},
  })

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
      caller,
      requestId: 'request',
    })
  }

  return { ledger, leases, outcomes, engine, stores, lines, start, context, ...actions }
}
