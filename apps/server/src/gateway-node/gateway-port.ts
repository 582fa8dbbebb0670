import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { healthRoutes } from '../features/gateway/health-routes.ts'
import { metricsRoutes } from '../features/gateway/metrics-routes.ts'
import { RequestMetrics } from '../features/gateway/request-metrics.ts'
import { isFull } from '../features/nodes/free-space.ts'
import { createHttpServer } from '../http/http-server.ts'
import type { GatewayLink } from '../publishing/gateway-link.ts'
import type { Publisher } from '../publishing/publisher.ts'
import type { Settings } from '../settings/settings.ts'

interface GatewayPortOptions {
  log: Logger
  settings: Settings
  gateway: GatewayLink
  publisher: Publisher
  version: string
  lostRequests: () => number
  /** The server is about to stop, and serves until then. */
  isLeaving?: () => boolean
}

/** What a gateway that runs alone answers beside its traffic: its health and its metrics, and nothing else. */
export async function openGatewayPort(options: GatewayPortOptions): Promise<FastifyInstance> {
  const { log, settings, gateway, publisher, version, lostRequests } = options
  // Nobody signs in here, so that no refusal has an actor.
  const app = await createHttpServer(log, settings.trustedProxies, async () => {})
  const requests = new RequestMetrics(() => publisher.snapshot)
  gateway.onReport((report) => requests.record(report))
  // A gateway sends nothing by itself, so that no hold concerns it.
  const holding = { hold: undefined }
  healthRoutes(app, publisher, holding, {
    version,
    isLeaving: options.isLeaving,
    staleAfterMs: settings.gatewayStaleAfterMs,
    isStoreFull: () => isFull(settings.dataDir),
  })
  metricsRoutes(app, {
    token: settings.metricsToken,
    host: settings.host,
    version,
    requests,
    workers: () => gateway.workers(),
    published: publisher,
    limits: () => gateway.limits(),
    lostRequests,
  })
  return app
}
