import { z } from 'zod'
import { acrossFields } from '../kernel/across-fields.ts'
import { choice, flag, optionalInteger, requiredText, version } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { calendarFields, idList, limitFields, whereFields } from './alarm-fields.ts'
import { alarmKinds, factsOfAlarm } from './alarm-kinds.ts'

const repeatHoursDefault = 24

/** Channels of a rule. `is_all`: every channel that is on, those of later too. */
const channels = z.object({ is_all: flag, ids: idList('channels', 50) }).prefault({ is_all: true })

export const alarmRuleInput = z
  .object({
    name: requiredText(100, 'name'),
    kind: choice(alarmKinds, 'kind'),
    is_on: flag,
    limits: limitFields,
    where: whereFields,
    calendar: calendarFields,
    channels,
    /** Hours after which it is told again while nobody has acknowledged it; 0: never. */
    repeat_hours: optionalInteger('hours until it is told again', 0, 1000).transform(
      (hours) => hours ?? repeatHoursDefault,
    ),
    /** Minutes without an acknowledgement after which a second list of channels is told; null: never. */
    escalate_minutes: optionalInteger('minutes until the second list is told', 1, 43_200),
    escalation_ids: idList('channels of the second list', 50),
    version,
  })
  .superRefine(
    ...acrossFields<{
      calendar: { from: string; to: string }
      escalate_minutes: number | null
      escalation_ids: number[]
      kind: (typeof alarmKinds)[number]
      where: Record<'workflow_ids' | 'lane_ids' | 'api_ids', number[]>
    }>((rule, context) => {
      const refuse = (path: string[], message: string) =>
        context.addIssue({ code: 'custom', path, message })
      const { calendar, escalate_minutes, escalation_ids, kind, where } = rule
      if (calendar?.from && calendar.to !== undefined && calendar.from >= calendar.to)
        refuse(['calendar', 'to'], 'The end of the day must be after its begin.')
      const isEscalating = (escalate_minutes ?? null) !== null
      if (isEscalating && escalation_ids?.length === 0)
        refuse(['escalation_ids'], 'Choose a channel for the second list.')
      if (!kind || !where || !alarmKinds.includes(kind)) return
      for (const scope of ['workflow', 'lane', 'api'] as const)
        if (where[`${scope}_ids`]?.length && !factsOfAlarm(kind).scopes.includes(scope))
          refuse(['where', `${scope}_ids`], 'A rule of this kind can’t be narrowed to these.')
    }),
  )
export type AlarmRuleInput = z.output<typeof alarmRuleInput>

const named = z.object({ id: z.number().int(), name: z.string() })
const int = z.number().int()

const alarmRuleRecord = z.object({
  id: int,
  name: z.string(),
  kind: z.enum(alarmKinds),
  is_on: z.boolean(),
  limits: z.record(z.string(), int.nullable()),
  where: z.object({
    workflow_ids: z.array(int),
    lane_ids: z.array(int),
    api_ids: z.array(int),
  }),
  calendar: z.object({
    time_zone: z.string(),
    weekdays: z.array(int),
    from: z.string(),
    to: z.string(),
  }),
  channels: z.object({ is_all: z.boolean(), ids: z.array(int) }),
  repeat_hours: int,
  escalate_minutes: int.nullable(),
  escalation_ids: z.array(int),
  /** Null: it is not muted. */
  muted_until: z.string().nullable(),
  /** Alarms of this rule that are open. */
  open: int,
  version: int,
})
export type AlarmRuleRecord = z.output<typeof alarmRuleRecord>

/** What the form offers. */
const alarmRuleChoices = z.object({
  workflows: z.array(named),
  lanes: z.array(named),
  apis: z.array(named),
  channels: z.array(named.extend({ is_on: z.boolean() })),
})
export type AlarmRuleChoices = z.output<typeof alarmRuleChoices>

const ruleAnswer = z.object({ rule: alarmRuleRecord })

export const listAlarmRules = defineRoute({
  method: 'GET',
  path: '/api/alarm-rules',
  access: 'alarm.view',
  tag: 'Alarms',
  summary: 'The rules by which alarms are raised',
  query: listQuery(['id', 'name', 'kind']),
  response: pageOf(alarmRuleRecord),
})

export const newAlarmRuleForm = defineRoute({
  method: 'GET',
  path: '/api/alarm-rules/create',
  access: 'alarm.view',
  tag: 'Alarms',
  summary: 'What the form of a rule offers',
  response: alarmRuleChoices,
})

export const createAlarmRule = defineRoute({
  method: 'POST',
  path: '/api/alarm-rules',
  access: 'alarm.edit',
  tag: 'Alarms',
  summary: 'Add a rule',
  status: 201,
  body: alarmRuleInput,
  response: ruleAnswer,
})

export const editAlarmRule = defineRoute({
  method: 'GET',
  path: '/api/alarm-rules/:id/edit',
  access: 'alarm.view',
  tag: 'Alarms',
  summary: 'One rule, for the form',
  params: idParams,
  response: alarmRuleChoices.extend({ rule: alarmRuleRecord }),
})

export const updateAlarmRule = defineRoute({
  method: 'PUT',
  path: '/api/alarm-rules/:id',
  access: 'alarm.edit',
  tag: 'Alarms',
  summary: 'Change a rule',
  params: idParams,
  body: alarmRuleInput,
  response: ruleAnswer,
})

export const deleteAlarmRule = defineRoute({
  method: 'DELETE',
  path: '/api/alarm-rules/:id',
  access: 'alarm.edit',
  tag: 'Alarms',
  summary: 'Delete a rule; its open alarms end',
  status: 204,
  params: idParams,
})
