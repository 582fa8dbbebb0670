import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { WorkerLink } from '../../kernel/threads/worker-link.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Stores } from '../../stores.ts'
import { gatewayRequestRoutes } from './gateway-request-routes.ts'
import { GatewayRequestService } from './gateway-request-service.ts'
import { LoneGateways, type NamedGateway } from './lone-gateways.ts'
import type { RequestAnswer, RequestQuestion } from './reading/read-requests.ts'

interface GatewayRequestsOptions {
  stores: Pick<Stores, 'audit' | 'requestNames'>
  clock: Clock
  /** What this server is called among several. */
  server: string
  /** Names of other servers that live, whose gateways keep logs that can't be asked for here. */
  otherServers: () => Promise<string[]>
  /** Gateways that live and run alone. */
  loneGateways: () => Promise<NamedGateway[]>
  /** Asks such gateways; undefined: there can be none. */
  questions: { ask: (id: string, question: object) => Promise<unknown> } | undefined
  settings: Pick<Settings, 'dataDir' | 'logLevel'>
}

/** Longer than any answer takes: a thread that has not answered by then is stuck. */
const answerTimeoutMs = 30_000

export function createGatewayRequests(options: GatewayRequestsOptions) {
  const { stores, clock, settings, server, otherServers, loneGateways, questions } = options
  const lone = questions && new LoneGateways(loneGateways, questions)
  const reader = new WorkerLink<RequestQuestion, RequestAnswer>(
    new URL('reading/request-worker.ts', import.meta.url),
    { name: 'request-reader', timeoutMs: answerTimeoutMs, queueMax: 64 },
  )
  const recordsAll = settings.logLevel === 'debug' || settings.logLevel === 'info'
  const service = new GatewayRequestService({
    lone,
    recordsAll,
    names: stores.requestNames,
    reader,
    clock,
    dataDir: settings.dataDir,
    record: (actor) =>
      stores.audit.record(actor, { action: 'log.view', thing: 'log', name: 'gateway requests' }),
  })
  return {
    service,
    /** Mounts the call; the thread that reads ends when the app closes. */
    mountOn: (app: FastifyInstance) => {
      gatewayRequestRoutes(app, service, { server, otherServers, lone })
      app.addHook('onClose', () => reader.close())
    },
  }
}
