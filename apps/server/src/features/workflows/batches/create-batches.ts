import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { ArchivedRuns } from '../../runs/ledger/reading/archived-runs.ts'
import type { TraceFor } from '../../runs/ledger/reading/run-trace.ts'
import type { InputProblems } from '../runs/stored-rules.ts'
import { RunnableVersions } from '../runs/runnable.ts'
import { BatchEvents } from './batch-events.ts'
import { BatchKeeper } from './batch-keeper.ts'
import { batchRoutes } from './batch-routes.ts'
import { BatchService } from './batch-service.ts'
import { BatchStarter } from './batch-starter.ts'
import { Spool } from './inputs/spool.ts'

interface BatchesOptions {
  stores: Stores
  longReads: Stores['batches']
  inTransaction: InTransaction
  clock: Clock
  traceFor: TraceFor
  log: Logger
  owner: string
  dataDir: string
  inputProblems: InputProblems
  archived: ArchivedRuns
  wake: (laneId: number) => void
  isSessionOpen: (sessionId: number) => Promise<boolean>
}

/** Wires the batches: uploads, what they become in their lanes, and their results. */
export function createBatches(options: BatchesOptions) {
  const keeper = new BatchKeeper(options)
  const folder = path.join(options.dataDir, 'uploads')
  const versions = new RunnableVersions(options.stores)
  const service = new BatchService({ ...options, versions, keeper })
  const starter = new BatchStarter({ ...options, versions, keeper, folder })
  const events = new BatchEvents({ service, isSessionOpen: options.isSessionOpen })
  return {
    keeper,
    /** Call it before the server listens. */
    start: async () => {
      await Spool.clear(folder)
      await keeper.start()
    },
    mountOn: (app: FastifyInstance) => {
      batchRoutes(app, starter, service, events)
      app.addHook('preClose', async () => {
        events.close()
        await keeper.stop()
      })
    },
  }
}
