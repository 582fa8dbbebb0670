import { z } from 'zod'
import { idMax, requiredText, strictFields, text } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { registerFilter } from '../documents/register-fields.ts'
import { alarmKinds } from './alarm-kinds.ts'

/** `open`: nobody has acknowledged it. `ended`: its condition is over. */
const alarmStates = ['open', 'acknowledged', 'ended'] as const
export type AlarmState = (typeof alarmStates)[number]

const alarmRecord = z.object({
  id: z.number().int(),
  kind: z.enum(alarmKinds),
  state: z.enum(alarmStates),
  rule: z.object({ id: z.number().int(), name: z.string() }),
  /** What it is about, for machines: `run:12`. */
  subject: z.string(),
  title: z.string(),
  /** Of the documents that its run carries, or of its API; none where it is about another thing. */
  registers: z.array(z.string()),
  /** The screen that shows what it is about. */
  path: z.string(),
  /** When the condition began, and when the alarm was raised. */
  since: z.string(),
  raised_at: z.string(),
  acknowledged: z.object({ at: z.string(), by: z.string(), note: z.string() }).nullable(),
  ended_at: z.string().nullable(),
  /** Of the alarm or of its rule; null: not muted. */
  muted_until: z.string().nullable(),
  told_at: z.string().nullable(),
})
export type AlarmRecord = z.output<typeof alarmRecord>

export const listAlarms = defineRoute({
  method: 'GET',
  path: '/api/alarms',
  access: 'alarm.view',
  tag: 'Alarms',
  summary: 'Alarms, those that are not over first, then newest first',
  query: listQuery(['id']).extend({
    /** `current`: not over. */
    state: z.enum([...alarmStates, 'current', '']).optional(),
    kind: z.enum([...alarmKinds, '']).optional(),
    register: registerFilter,
  }),
  response: pageOf(alarmRecord),
})

const alarmBell = z.object({
  /** Alarms that nobody has acknowledged, without those that are muted; 1,000 at most. */
  count: z.number().int(),
  /** The newest of them. */
  alarms: z.array(alarmRecord),
  checked_at: z.string().nullable(),
})
export type AlarmBell = z.output<typeof alarmBell>

export const showAlarmBell = defineRoute({
  method: 'GET',
  path: '/api/alarms/bell',
  access: 'alarm.view',
  tag: 'Alarms',
  summary: 'How many alarms nobody has acknowledged, and the newest of them',
  response: alarmBell,
})

export const acknowledgeAlarms = defineRoute({
  method: 'POST',
  path: '/api/alarms/acknowledge',
  access: 'alarm.operate',
  tag: 'Alarms',
  summary: 'Say that a person takes care of these alarms; they are told no more',
  body: strictFields({
    ids: z
      .array(z.number().int().positive().max(idMax), { error: 'Name the alarms by their ids.' })
      .min(1, { error: 'Choose an alarm.' })
      .max(1000, { error: 'At most 1000 at once.' }),
    note: text(500, 'note'),
  }),
  /** How many of them were open. */
  response: z.object({ acknowledged: z.number().int() }),
})

/** At most a year: what is muted for good would be forgotten. */
const until = requiredText(40, 'end')
  .refine((value) => !Number.isNaN(Date.parse(value)), { error: 'The end must be a moment.' })
  .transform((value) => (Number.isNaN(Date.parse(value)) ? '' : new Date(value).toISOString()))

export const muteAlarm = defineRoute({
  method: 'POST',
  path: '/api/alarms/:id/mute',
  access: 'alarm.operate',
  tag: 'Alarms',
  summary: 'Tell nothing about this until a moment; `rule`: about nothing of its rule',
  params: idParams,
  body: strictFields({
    until,
    what: z.enum(['alarm', 'rule'], { error: 'Mute the alarm or the rule.' }),
  }),
  response: z.object({ muted_until: z.string() }),
})

export const unmuteAlarm = defineRoute({
  method: 'POST',
  path: '/api/alarms/:id/unmute',
  access: 'alarm.operate',
  tag: 'Alarms',
  summary: 'End the mutes of an alarm and of its rule',
  params: idParams,
  response: z.object({ message: z.string() }),
})
