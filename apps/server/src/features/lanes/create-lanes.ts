import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { createRuns } from '../runs/create-runs.ts'
import { Dispatcher } from './dispatcher.ts'
import { LaneQueue } from './lane-queue.ts'
import type { LaneRates } from './rates/lane-rates.ts'
import { laneRoutes } from './lane-routes.ts'
import { LaneService } from './lane-service.ts'
import { QueuedOpener } from './queued-opener.ts'

interface LanesOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  rates: LaneRates
  /** What carries runs out. */
  carrying: ReturnType<typeof createRuns>['carrying']
  /** The figures of lanes, on a connection for long reads. */
  readFigures: Stores['lanes']['listFigures']
}

/** Wires the lanes: where runs of workflows are queued, and what carries them out. */
export function createLanes({
  inTransaction,
  clock,
  log,
  rates,
  carrying,
  readFigures,
}: LanesOptions) {
  const opener = new QueuedOpener({ ...carrying, inTransaction, log })
  const dispatcher = new Dispatcher({ ...carrying, inTransaction, clock, opener, rates, log })
  const service = new LaneService({ inTransaction, clock, dispatcher, readFigures })
  return {
    dispatcher,
    service,
    queue: new LaneQueue(inTransaction, clock, dispatcher),
    /** When the app closes, no further run is taken from a lane. */
    mountOn: (app: FastifyInstance) => {
      laneRoutes(app, service)
      app.addHook('preClose', () => dispatcher.stop())
      app.addHook('onClose', async () => {
        // Its calls end first.
        await carrying.engine.stop()
        await rates.stop()
      })
    },
  }
}
