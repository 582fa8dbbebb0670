import { z } from 'zod'
import { idMax, optionalInteger, text } from '../kernel/fields.ts'
import { alarmLimits, type AlarmLimit } from './alarm-kinds.ts'

/** Ids that a form has chosen; none are none. */
export const idList = (label: string, max = 200) =>
  z
    .union([z.array(z.number().int().positive().max(idMax)).max(max), z.null()], {
      error: `The ${label} must be a list of ids.`,
    })
    .optional()
    .transform((ids) => [...new Set(ids ?? [])])

/** Blank: the default of the kind. */
const limit = (name: AlarmLimit) => {
  const { label, min, max } = alarmLimits[name]
  return optionalInteger(label, min, max)
}

export const limitFields = z
  .object({
    minutes: limit('minutes'),
    hours: limit('hours'),
    days: limit('days'),
    runs: limit('runs'),
    percent: limit('percent'),
    requests: limit('requests'),
    times: limit('times'),
  })
  .prefault({})

export const whereFields = z
  .object({
    workflow_ids: idList('workflows'),
    lane_ids: idList('lanes'),
    api_ids: idList('APIs'),
  })
  .prefault({})

const timePattern = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/
const time = (label: string, standard: string) =>
  text(5, label)
    .transform((value) => value || standard)
    .refine((value) => timePattern.test(value), { error: `The ${label} is a time like 08:00.` })

export const timeZone = text(100, 'time zone')
  .transform((value) => value || 'UTC')
  .refine(isTimeZone, { error: 'This is not a time zone. Use a name like Asia/Kuala_Lumpur.' })

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const weekdays = z
  .union([z.array(z.number().int().min(1).max(7)).max(7), z.null()], {
    error: 'The working days must be numbers from 1 (Monday) to 7 (Sunday).',
  })
  .optional()
  .transform((days) => (days && days.length > 0 ? [...new Set(days)].toSorted() : [1, 2, 3, 4, 5]))

/** When work is done. Hours outside of it do not count. */
export const calendarFields = z
  .object({
    time_zone: timeZone,
    weekdays,
    from: time('begin of the day', '08:00'),
    to: time('end of the day', '18:00'),
  })
  .prefault({})
export type AlarmCalendar = z.output<typeof calendarFields>
