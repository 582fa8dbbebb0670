import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'
import { logRoots } from './log-listing.ts'
import { createLogReader } from './log-reader.ts'
import { logRoutes } from './log-routes.ts'
import { LogService } from './log-service.ts'

interface LogsOptions {
  stores: Pick<Stores, 'audit'>
  clock: Clock
  /** Names of other servers that live, each of which keeps logs of its own. */
  otherServers: () => Promise<string[]>
  settings: {
    dataDir: string
    /** Folders outside of `dataDir` whose logs are shown too. */
    logDirs: readonly string[]
  }
}

export function createLogs({ stores, clock, otherServers, settings }: LogsOptions) {
  const { dataDir, logDirs } = settings
  const reader = createLogReader()
  const service = new LogService({
    roots: logRoots(dataDir, logDirs),
    dataDir,
    reader,
    clock,
    record: (actor, action, name) => stores.audit.record(actor, { action, thing: 'log', name }),
  })
  return {
    service,
    /** Mounts the calls; the thread that reads ends when the app closes. */
    mountOn: (app: FastifyInstance) => {
      logRoutes(app, service, otherServers)
      app.addHook('onClose', () => reader.close())
    },
  }
}
