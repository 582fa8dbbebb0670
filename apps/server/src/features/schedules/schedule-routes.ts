import {
  createSchedule,
  deleteSchedule,
  listFiringRuns,
  listFirings,
  listSchedules,
  pauseSchedule,
  previewTimes,
  resumeSchedule,
  runSchedule,
  showSchedule,
  tryScheduleList,
  updateSchedule,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { fieldError } from '../../kernel/app-error.ts'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { FiringRow } from './firing-store.ts'
import type { SchedulePreview } from './schedule-preview.ts'
import type { ScheduleService } from './schedule-service.ts'
import type { ScheduleRow } from './schedule-store.ts'
import { shownFiring, shownSchedule } from './schedule-view.ts'

export function scheduleRoutes(
  app: FastifyInstance,
  schedules: ScheduleService,
  preview: SchedulePreview,
): void {
  mount(app, listSchedules, async ({ query }) =>
    toPage(await schedules.list(query), query, toRecord),
  )
  mount(app, createSchedule, async ({ body }, context) => ({
    schedule: toRecord(await schedules.create(body, context)),
  }))
  mount(app, previewTimes, async ({ body }) => ({ times: preview.times(body) }))
  mount(app, tryScheduleList, ({ body }, { caller, signal }) => {
    if (!body.list) throw fieldError({ 'list.endpoint_id': ['Choose an endpoint.'] })
    return preview.tryList(body.list, body.schedule_id, caller, signal)
  })
  mount(app, showSchedule, async ({ params }) => ({
    schedule: toRecord(await schedules.get(params.id)),
  }))
  mount(app, updateSchedule, async ({ params, body }, context) => ({
    schedule: toRecord(await schedules.update(params.id, body, context)),
  }))
  mount(app, deleteSchedule, ({ params }, context) => schedules.remove(params.id, context))
  mount(app, pauseSchedule, async ({ params }, context) => ({
    schedule: toRecord(await schedules.pause(params.id, context)),
  }))
  mount(app, resumeSchedule, async ({ params }, context) => ({
    schedule: toRecord(await schedules.resume(params.id, context)),
  }))
  mount(app, runSchedule, async ({ params }, context) => ({
    schedule: toRecord(await schedules.runNow(params.id, context)),
  }))
  mount(app, listFirings, async ({ params, query }) =>
    toPage(await schedules.listFirings(params.id, query), query, shownFiring),
  )
  mount(app, listFiringRuns, async ({ params, query }) =>
    toPage(await schedules.listRuns(params.id, params.firing, query), query, (run) => run),
  )
}

const toRecord = ({ row, last }: { row: ScheduleRow; last: FiringRow | undefined }) => ({
  ...shownSchedule(row),
  last_firing: last ? shownFiring(last) : null,
})
