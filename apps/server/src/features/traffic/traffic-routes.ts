import { listToolCalls, showTraffic } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { BreakerService } from './breaker-service.ts'
import type { ToolCallService } from './tool-call-service.ts'
import type { TrafficService } from './traffic-service.ts'

export function trafficRoutes(
  app: FastifyInstance,
  traffic: TrafficService,
  breakers: BreakerService,
  toolCalls: ToolCallService,
): void {
  mount(app, showTraffic, async ({ query: { range, api_id } }) => {
    const open = await breakers.listOpen()
    return {
      ...(await traffic.show(range, api_id)),
      open_breakers: open.filter((breaker) => api_id === undefined || breaker.api_id === api_id),
    }
  })
  mount(app, listToolCalls, async ({ query }, { caller }) => ({
    calls: await toolCalls.list(query, caller),
  }))
}
