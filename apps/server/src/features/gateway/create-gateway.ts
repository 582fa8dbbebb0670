import type { GatewaySums } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { GatewayLink, GatewayReport } from '../../publishing/gateway-link.ts'
import type { Publisher } from '../../publishing/publisher.ts'
import { gatewayRoutes } from './gateway-routes.ts'
import { healthRoutes, type Holding } from './health-routes.ts'
import { metricsRoutes, type MeasuredWork } from './metrics-routes.ts'
import { RequestMetrics } from './request-metrics.ts'

interface GatewayOptions extends MeasuredWork {
  /** Undefined: this server runs no gateway. */
  gateway: GatewayLink | undefined
  publisher: Publisher
  holding: Holding
  /** Of all servers that share the database. */
  sumGateways: () => Promise<GatewaySums>
  isDatabaseAway: () => boolean
  isLeaving: (() => boolean) | undefined
  isStoreFull: () => Promise<boolean>
  settings: {
    metricsToken: string | undefined
    host: string
    gatewayUrl: string
    gatewayStaleAfterMs: number | null
  }
  version: string
}

/** What is shown of the gateway: its state, health and metrics. */
export function createGateway(options: GatewayOptions) {
  const { gateway, publisher, holding, settings, version } = options
  const requests = new RequestMetrics(() => publisher.snapshot)
  return {
    record: (report: GatewayReport) => requests.record(report),
    mountOn: (app: FastifyInstance) => {
      healthRoutes(app, publisher, holding, {
        ...options,
        staleAfterMs: settings.gatewayStaleAfterMs,
      })
      gatewayRoutes(app, () => publisher.status(), options.sumGateways, settings.gatewayUrl)
      metricsRoutes(app, {
        token: settings.metricsToken,
        host: settings.host,
        version,
        requests,
        workers: () => gateway?.workers() ?? [],
        published: publisher,
        limits: () => gateway?.limits(),
        work: options,
      })
    },
  }
}
