import type { HttpUpstream } from '@gatehouse/upstream'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { buildRequestRoutes } from './build-request-routes.ts'
import { BuildRequestService } from './build-request-service.ts'
import { BundlePreviewer } from './bundle-preview.ts'
import { BundleService } from './bundle-service.ts'
import { RunCloser } from './close-run.ts'
import { EvidenceFiles } from './evidence-files.ts'
import { Leases } from './leases.ts'
import { Ledger } from './ledger.ts'
import { OutcomeKeeper } from './outcome-keeper.ts'
import { RunResolver } from './resolve-run.ts'
import { RunResumer } from './resume-run.ts'
import { RunRetrier } from './retry-run.ts'
import { RunEngine } from './run-engine.ts'
import { RunEvents } from './run-events.ts'
import { RunFeed } from './run-feed.ts'
import type { RunHistoryStore } from './run-history-store.ts'
import { RunHistoryService } from './run-history-service.ts'
import { RunKeeper } from './run-keeper.ts'
import { runRoutes, taxRoutes } from './run-routes.ts'
import { RunStarter } from './run-starter.ts'
import { findSummary } from './run-summary.ts'
import type { Targets } from './target.ts'

export interface RunsOptions {
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  upstream: HttpUpstream
  targets: Targets
  log: Logger
  /** The history, read where it holds up nobody. */
  longReads: RunHistoryStore
  /** Names this server in the ledger. */
  owner: string
  /** Where outcomes are kept that the database could not take. */
  dataDir: string
  unknownAlarmMinutes: number
  isSessionOpen: (sessionId: number) => Promise<boolean>
}

/** Wires the run engine: the ledger, what carries runs out, what looks after them, what shows them. */
export function createRuns(options: RunsOptions) {
  const { stores, inTransaction, clock, upstream, targets, log } = options
  const feed = new RunFeed()
  const leases = new Leases(options.owner, clock)
  const ledger = new Ledger({ inTransaction, clock, leases, feed })
  const files = new EvidenceFiles(options.dataDir)
  const outcomes = new OutcomeKeeper({ ledger, leases, files, inTransaction, feed, clock, log })
  const engine = new RunEngine({ ledger, leases, outcomes, upstream, log })
  const starter = new RunStarter(inTransaction, ledger)
  const keeper = new RunKeeper({
    ledger,
    leases,
    outcomes,
    runs: stores.runs,
    clock,
    log,
    unknownAlarmMinutes: options.unknownAlarmMinutes,
  })
  const common = { targets, inTransaction, engine, clock, leases }
  const bundles = new BundleService({ ...common, starter })
  const events = new RunEvents({
    feed,
    summary: (id) => findSummary(stores.runs, id),
    isSessionOpen: options.isSessionOpen,
  })
  const services = {
    bundles,
    previewer: new BundlePreviewer(bundles, stores.runHistory),
    history: new RunHistoryService({ ...common, history: options.longReads, runs: stores.runs }),
    events,
    resumer: new RunResumer(common),
    resolver: new RunResolver({ ...common, feed, upstream }),
    closer: new RunCloser({ inTransaction, feed, clock }),
    retrier: new RunRetrier({ ...common, starter }),
  }
  const buildRequests = new BuildRequestService({ ...common, starter })

  return {
    ledger,
    keeper,
    /** Mounts the calls; when the app closes, streams end first, then runs under way are seen through. */
    mountOn: (app: FastifyInstance) => {
      buildRequestRoutes(app, buildRequests)
      taxRoutes(app, services)
      runRoutes(app, services)
      app.addHook('preClose', async () => events.close())
      app.addHook('onClose', async () => {
        await engine.stop()
        await keeper.stop()
      })
    },
  }
}
