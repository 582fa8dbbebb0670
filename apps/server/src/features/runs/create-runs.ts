import type { HealingMode } from '@gatehouse/contract'
import type { Tokens, Upstream } from '@gatehouse/upstream'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, ReadTogether, Stores } from '../../stores.ts'
import type { PermitsOf } from './actions/permit-soon.ts'
import { RunCanceller } from './actions/cancel-run.ts'
import { RunCloser } from './actions/close-run.ts'
import { benchRoutes } from './bench/bench-routes.ts'
import { EvidenceFiles } from './engine/evidence-files.ts'
import type { ArchivedRuns } from './ledger/reading/archived-runs.ts'
import { Leases } from '../../kernel/leases/leases.ts'
import { Ledger } from './ledger/ledger.ts'
import { OutcomeKeeper } from './engine/outcome-keeper.ts'
import { StepInquirer } from './actions/status-query/query-step.ts'
import { RunResolver } from './actions/resolve-run.ts'
import { RunResumer } from './actions/resume-run.ts'
import { RunRetrier } from './actions/retry-run.ts'
import { SeveralRuns } from './history/several-runs.ts'
import { RunEngine } from './engine/run-engine.ts'
import { RunEvents } from './history/run-events.ts'
import { RunFeed } from './ledger/reading/run-feed.ts'
import type { RunHistoryStore } from './history/run-history-store.ts'
import { BlockedByFound } from './healing/blocked-by-found.ts'
import { HealingInquirer } from './healing/healing-inquirer.ts'
import { HealingKeeper, type HealingDuty } from './healing/healing-keeper.ts'
import { RunHistoryService, type QueuePlaceOf } from './history/run-history-service.ts'
import { UnclearRuns } from './history/unclear-runs.ts'
import { RunKeeper } from './engine/run-keeper.ts'
import { GapChecker } from './journal/check-gap.ts'
import { SubmitJournal } from './journal/submit-journal.ts'
import { PollKeeper } from './pending/poll-keeper.ts'
import { RunContinuer } from './pending/run-continuer.ts'
import { runRoutes } from './run-routes.ts'
import { RunStarter } from './engine/run-starter.ts'
import type { TraceFor } from './ledger/reading/run-trace.ts'
import type { RunRow } from './ledger/run-store.ts'
import { findSummary, getSummary } from './ledger/reading/run-summary.ts'
import type { RunSpans } from './spans/run-spans.ts'
import { StepSender } from './steps/step-sender.ts'
import type { Targets } from './steps/target.ts'

interface RunsOptions {
  stores: Stores
  inTransaction: InTransaction
  readTogether: ReadTogether
  clock: Clock
  upstream: Upstream
  tokens: Tokens
  targets: Targets
  log: Logger
  /** The history on a connection for long reads, which does not delay other queries. */
  longReads: RunHistoryStore
  /** The name of this server in the ledger. */
  owner: string
  /** The folder for outcomes that could not be stored in the database. */
  dataDir: string
  isSessionOpen: (sessionId: number) => Promise<boolean>
  /** The user of a run with the roles of today; undefined where the user is gone. */
  callerOf: (userId: number) => Promise<Caller | undefined>
  permitsOf: PermitsOf
  /** The place of a run in its lane; null where it is not queued. */
  queuePlaceOf: QueuePlaceOf
  archived: ArchivedRuns
  /** Undefined where spans are off. */
  spans: RunSpans | undefined
  /** What is done without a person about unknown outcomes at most, and by which server. */
  healing: { most: HealingMode; duty: HealingDuty }
  traceFor: TraceFor
}

/** Wires the runs: the ledger, the engine, the periodic work, the actions and the history. */
export function createRuns(options: RunsOptions) {
  const { stores, inTransaction, readTogether, clock, targets, log } = options
  const summaryOf = (id: number) => readTogether(({ runs }) => getSummary(runs, id))
  const sender = new StepSender(options.upstream, options.tokens)
  const feed = new RunFeed()
  const leases = new Leases(options.owner, clock)
  const { spans } = options
  const onRecovered = spans && ((run: RunRow) => spans.recovered(run))
  const ledger = new Ledger({ inTransaction, clock, leases, feed, onRecovered })
  const files = new EvidenceFiles(options.dataDir)
  const outcomes = new OutcomeKeeper({ ledger, leases, files, inTransaction, feed, clock, log })
  const journal = new SubmitJournal(options.dataDir)
  const engine = new RunEngine({ ledger, leases, outcomes, sender, journal, spans, clock, log })
  const starter = new RunStarter(inTransaction, ledger, options.traceFor)
  const { permitsOf, archived } = options
  const common = { targets, inTransaction, engine, clock, leases, permitsOf, archived }
  const continuer = new RunContinuer({ ...common, log, callerOf: options.callerOf })
  const polls = new PollKeeper({
    ...common,
    polls: stores.polls,
    sender,
    spans,
    feed,
    log,
    continuer,
  })
  const inquirer = new HealingInquirer({ ...common, feed, sender, spans })
  const { most, duty } = options.healing
  const ofHealing = { ...common, healing: stores.healing, continuer, log }
  const blocked = new BlockedByFound(ofHealing)
  const healing = new HealingKeeper({ ...ofHealing, most, duty, inquirer, blocked })
  const keeper = new RunKeeper({
    polls,
    healing,
    ledger,
    leases,
    outcomes,
    runs: stores.runs,
    clock,
    log,
  })
  const events = new RunEvents({
    feed,
    summary: (id) => findSummary(stores.runs, id),
    isSessionOpen: options.isSessionOpen,
  })
  const actions = {
    resumer: new RunResumer(common),
    resolver: new RunResolver({ ...common, feed }),
    inquirer: new StepInquirer({ ...common, feed, sender, spans, polls }),
    closer: new RunCloser({ inTransaction, feed, clock }),
  }
  const gap = new GapChecker({ ...common, sender, feed, owner: options.owner })
  const services = {
    ...actions,
    unclear: new UnclearRuns({ history: options.longReads, readTogether, targets, clock }),
    gap,
    several: new SeveralRuns({ ...actions, history: options.longReads, inTransaction, clock }),
    history: new RunHistoryService({
      ...common,
      history: options.longReads,
      runs: stores.runs,
      queuePlaceOf: options.queuePlaceOf,
    }),
    events,
    canceller: new RunCanceller({ inTransaction, feed, clock }),
    retrier: new RunRetrier({ ...common, starter }),
  }

  return {
    ledger,
    journal,
    gap,
    keeper,
    polls,
    healing,
    /** For calls beside the runs, which only read. */
    sender,
    /** For the features that send runs. */
    sending: { targets, inTransaction, starter, engine, summaryOf, archived },
    /** For the lanes, which carry out queued runs. */
    carrying: { targets, ledger, leases, feed, engine, spans },
    /**
     * Mounts the calls. When the app closes, streams end first; then it waits for runs under way.
     */
    mountOn: (app: FastifyInstance) => {
      runRoutes(app, services)
      benchRoutes(app, { targets, history: options.longReads, clock })
      app.addHook('preClose', async () => events.close())
      app.addHook('onClose', async () => {
        await engine.stop()
        await keeper.stop()
        await spans?.stop()
        journal.close()
      })
    },
  }
}
