import { z } from 'zod'
import { idMax, strictFields } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { runStates } from '../runs/run-summary.ts'
import {
  firingStates,
  scheduleFiring,
  scheduleInput,
  scheduleRecord,
  scheduleStartFields,
  scheduleTimes,
} from './schedule-fields.ts'

const scheduleAnswer = z.object({ schedule: scheduleRecord })

export const listSchedules = defineRoute({
  method: 'GET',
  path: '/api/schedules',
  access: 'workflow.view',
  tag: 'Schedules',
  summary: 'Schedules with their last and next run; searched by name and workflow',
  query: listQuery(['id', 'name', 'next_run_at']).extend({
    workflow: z.coerce.number().int().positive().max(idMax).optional(),
  }),
  response: pageOf(scheduleRecord),
})

export const createSchedule = defineRoute({
  method: 'POST',
  path: '/api/schedules',
  access: 'workflow.edit',
  tag: 'Schedules',
  summary: 'Start a workflow by time; it runs on behalf of the caller',
  status: 201,
  bodyLimitBytes: 2 * 1024 * 1024,
  body: scheduleInput,
  response: scheduleAnswer,
})

/** The next moments of an expression. Throws a 422 under `cron` and `time_zone`. */
export const previewTimes = defineRoute({
  method: 'POST',
  path: '/api/schedules/times',
  access: 'workflow.view',
  tag: 'Schedules',
  summary: 'The next five moments of a cron expression in a time zone',
  body: strictFields(scheduleTimes),
  response: z.object({ times: z.array(z.string()) }),
})

export const tryScheduleList = defineRoute({
  method: 'POST',
  path: '/api/schedules/try',
  access: 'workflow.edit',
  tag: 'Schedules',
  summary: 'Fetch the list of a schedule and say what would be started; stores nothing',
  body: strictFields({
    list: scheduleStartFields.list,
    /** Of a schedule that exists: elements that it has taken are counted as known. */
    schedule_id: z.number().int().positive().max(idMax).optional(),
  }),
  response: z.object({
    found: z.number().int(),
    old: z.number().int(),
    known: z.number().int(),
    /** How many runs would be started. */
    new: z.number().int(),
    /** The watermark afterwards; null without one. */
    watermark: z.string().nullable(),
    /** The first elements that would be started, as JSON text. */
    rows: z.array(z.object({ reference: z.string().nullable(), input: z.string() })),
  }),
})

export const showSchedule = defineRoute({
  method: 'GET',
  path: '/api/schedules/:id',
  access: 'workflow.view',
  tag: 'Schedules',
  summary: 'One schedule',
  params: idParams,
  response: scheduleAnswer,
})

export const updateSchedule = defineRoute({
  method: 'PUT',
  path: '/api/schedules/:id',
  access: 'workflow.edit',
  tag: 'Schedules',
  summary: 'Change a schedule; from now on it runs on behalf of the caller',
  bodyLimitBytes: 2 * 1024 * 1024,
  params: idParams,
  body: scheduleInput,
  response: scheduleAnswer,
})

export const deleteSchedule = defineRoute({
  method: 'DELETE',
  path: '/api/schedules/:id',
  access: 'workflow.edit',
  tag: 'Schedules',
  summary: 'Delete a schedule with its firings; the runs that it started stay',
  status: 204,
  params: idParams,
})

const operate = (verb: 'pause' | 'resume' | 'run', summary: string) =>
  ({
    method: 'POST',
    path: `/api/schedules/:id/${verb}`,
    access: 'workflow.operate',
    tag: 'Schedules',
    summary,
    params: idParams,
    response: scheduleAnswer,
  }) as const

export const pauseSchedule = defineRoute({
  ...operate('pause', 'Let a schedule rest; what it is doing ends'),
  path: '/api/schedules/:id/pause',
})
export const resumeSchedule = defineRoute({
  ...operate('resume', 'Fire again, from the next moment on'),
  path: '/api/schedules/:id/resume',
})
export const runSchedule = defineRoute({
  ...operate('run', 'Fire now, beside its times'),
  path: '/api/schedules/:id/run',
})

export const listFirings = defineRoute({
  method: 'GET',
  path: '/api/schedules/:id/firings',
  access: 'workflow.view',
  tag: 'Schedules',
  summary: 'The latest thousand firings of a schedule, newest first',
  params: idParams,
  query: listQuery(['id']).extend({ state: z.enum(firingStates).optional() }),
  response: pageOf(scheduleFiring),
})

export const listFiringRuns = defineRoute({
  method: 'GET',
  path: '/api/schedules/:id/firings/:firing/runs',
  access: 'workflow.view',
  tag: 'Schedules',
  summary: 'The runs that a firing has started',
  params: idParams.extend({ firing: z.coerce.number().int().positive().max(idMax) }),
  query: listQuery(['id']),
  response: pageOf(
    z.object({
      id: z.number().int(),
      state: z.enum(runStates),
      reference: z.string().nullable(),
      created_at: z.string(),
    }),
  ),
})
