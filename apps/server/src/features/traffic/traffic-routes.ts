import { showTraffic } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { BreakerService } from './breaker-service.ts'
import type { TrafficService } from './traffic-service.ts'

export function trafficRoutes(
  app: FastifyInstance,
  traffic: TrafficService,
  breakers: BreakerService,
): void {
  mount(app, showTraffic, async ({ query }) => ({
    ...(await traffic.show(query.range)),
    open_breakers: await breakers.listOpen(),
  }))
}
