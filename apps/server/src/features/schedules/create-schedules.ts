import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { FiringParts } from './carry-out-firing.ts'
import { ScheduleKeeper } from './schedule-keeper.ts'
import { SchedulePreview } from './schedule-preview.ts'
import { scheduleRoutes } from './schedule-routes.ts'
import { ScheduleService } from './schedule-service.ts'

interface SchedulesOptions extends FiringParts {
  clock: Clock
  log: Logger
  /** The name of this server. */
  owner: string
}

/** Wires the schedules of workflows. */
export function createSchedules(options: SchedulesOptions) {
  const keeper = new ScheduleKeeper(options)
  const service = new ScheduleService({ ...options, keeper })
  const preview = new SchedulePreview(options)
  return {
    keeper,
    mountOn: (app: FastifyInstance) => scheduleRoutes(app, service, preview),
  }
}
