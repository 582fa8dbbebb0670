import type { FastifyInstance } from 'fastify'
import { TrafficRecorder, type TrafficRecorderOptions } from './traffic-recorder.ts'
import { trafficRoutes } from './traffic-routes.ts'
import { TrafficService } from './traffic-service.ts'
import type { TrafficStore } from './traffic-store.ts'

interface TrafficOptions extends TrafficRecorderOptions {
  /** The figures, read where a long read holds up no other call. */
  longReads: TrafficStore
}

export function createTraffic({ longReads, ...options }: TrafficOptions) {
  const service = new TrafficService(longReads, options.clock)
  return {
    service,
    recorder: new TrafficRecorder(options),
    mountOn: (app: FastifyInstance) => trafficRoutes(app, service),
  }
}
