import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../kernel/caller.ts'
import { BreakerService, type NodeWithBreakers } from './breaker-service.ts'
import { TrafficRecorder, type TrafficRecorderOptions } from './traffic-recorder.ts'
import { trafficRoutes } from './traffic-routes.ts'
import { ToolCallService } from './tool-call-service.ts'
import { TrafficService } from './traffic-service.ts'
import type { TrafficStore } from './traffic-store.ts'

interface TrafficOptions extends TrafficRecorderOptions {
  /** The figures, read where a long read holds up no other call. */
  longReads: TrafficStore
  /** Users whose tokens the caller sees; undefined: all. */
  visibleOwners: (caller: Caller) => readonly number[] | undefined
  /** The servers that live. */
  listNodes: () => Promise<readonly NodeWithBreakers[]>
}

export function createTraffic({ longReads, listNodes, visibleOwners, ...options }: TrafficOptions) {
  const service = new TrafficService(longReads, options.clock)
  const breakers = new BreakerService(longReads, listNodes)
  const toolCalls = new ToolCallService({ ...options, visibleOwners })
  return {
    service,
    recorder: new TrafficRecorder(options),
    mountOn: (app: FastifyInstance) => trafficRoutes(app, service, breakers, toolCalls),
  }
}
