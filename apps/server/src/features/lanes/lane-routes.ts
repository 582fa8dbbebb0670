import { drainLane, listLanes, pauseLane, resumeLane } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { LaneService } from './lane-service.ts'

export function laneRoutes(app: FastifyInstance, lanes: LaneService): void {
  mount(app, listLanes, async () => ({ lanes: await lanes.list() }))
  mount(app, pauseLane, async ({ params, body }, context) => ({
    lane: await lanes.pause(params.id, body?.reason ?? '', context),
  }))
  mount(app, resumeLane, async ({ params }, context) => ({
    lane: await lanes.resume(params.id, context),
  }))
  mount(app, drainLane, async ({ params }, context) => ({
    lane: await lanes.drain(params.id, context),
  }))
}
