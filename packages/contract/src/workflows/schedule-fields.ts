import { z } from 'zod'
import { choice, idMax, requiredText, strictFields, text, version } from '../kernel/fields.ts'
import { listSource } from './list-source.ts'

/** `input`: one run with a fixed input. `list`: a run for each new element of a list that is fetched. */
const scheduleStarts = ['input', 'list'] as const
export type ScheduleStart = (typeof scheduleStarts)[number]

/**
 * `running`: it goes on. `done`. `skipped`: the one before it still went on. `missed`: no server worked at
 * that moment, and the schedule does not catch up. `refused`: the user on whose behalf it runs may not do
 * that any more, or the workflow takes no runs. `failed`: see its message.
 */
export const firingStates = ['running', 'done', 'skipped', 'missed', 'refused', 'failed'] as const
export type FiringState = (typeof firingStates)[number]

/** `text`: values in the order of their characters, such as ISO dates in UTC. `number`: as decimals. */
export const watermarkTypes = ['text', 'number'] as const

/** A fixed input has at most that many characters. */
const fixedInputMax = 1024 * 1024

const pathText = (label: string) => text(256, label)

const scheduleWatermark = strictFields({
  path: requiredText(256, 'watermark path'),
  type: choice(watermarkTypes, 'watermark type'),
  /** The greatest value whose elements were taken. For a new schedule: where it begins. */
  value: requiredText(200, 'watermark value'),
})

export const scheduleTimes = {
  /** Minute, hour, day of the month, month, day of the week. */
  cron: requiredText(100, 'cron expression'),
  time_zone: requiredText(100, 'time zone'),
}

export const scheduleStartFields = {
  start: choice(scheduleStarts, 'start'),
  /** JSON as text: the input of each run. Blank where a list is fetched. */
  input: z.string().max(fixedInputMax).default(''),
  /** Null where the input is fixed. */
  list: listSource
    .extend({
      /** The reference of an element; blank: its content is the reference. */
      reference_path: pathText('reference path'),
      /** Null: the whole list is fetched each time, and what was taken before is known by its reference. */
      watermark: scheduleWatermark.nullable().default(null),
    })
    .nullable()
    .default(null),
}

export const scheduleInput = strictFields({
  workflow_id: z.number().int().positive().max(idMax),
  name: requiredText(100, 'name'),
  ...scheduleTimes,
  is_active: z.boolean().default(true),
  /** After a downtime it fires once for all moments that were missed. */
  catches_up: z.boolean().default(true),
  ...scheduleStartFields,
  version,
})
export type ScheduleInput = z.output<typeof scheduleInput>

export const scheduleFiring = z.object({
  id: z.number().int(),
  planned_for: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(firingStates),
  is_by_hand: z.boolean(),
  /** Elements of the list; of these: below the watermark, taken before, started now, and not taken. */
  found: z.number().int(),
  old: z.number().int(),
  known: z.number().int(),
  started: z.number().int(),
  refused: z.number().int(),
  message: z.string().nullable(),
})
export type ScheduleFiring = z.output<typeof scheduleFiring>

export const scheduleRecord = z.object({
  id: z.number().int(),
  version: z.number().int(),
  workflow: z.object({ id: z.number().int(), slug: z.string(), name: z.string() }),
  name: z.string(),
  cron: z.string(),
  time_zone: z.string(),
  is_active: z.boolean(),
  catches_up: z.boolean(),
  start: z.enum(scheduleStarts),
  input: z.string(),
  list: z
    .object({
      endpoint_id: z.number().int(),
      request: z.string(),
      items_path: z.string(),
      reference_path: z.string(),
      watermark: z
        .object({ path: z.string(), type: z.enum(watermarkTypes), value: z.string() })
        .nullable(),
    })
    .nullable(),
  /** On whose behalf it runs: the user who saved it last. */
  user: z.object({ id: z.number().int(), name: z.string() }),
  /** Null while it is paused. */
  next_run_at: z.string().nullable(),
  last_firing: scheduleFiring.nullable(),
  updated_at: z.string(),
})
export type ScheduleRecord = z.output<typeof scheduleRecord>
