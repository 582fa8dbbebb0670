import { showTraffic } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { TrafficService } from './traffic-service.ts'

export function trafficRoutes(app: FastifyInstance, traffic: TrafficService): void {
  mount(app, showTraffic, ({ query }) => traffic.show(query.range))
}
