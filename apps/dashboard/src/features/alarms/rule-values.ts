import type { UseFormReturnType } from '@mantine/form'
import type { AlarmKind, AlarmLimit } from '@gatehouse/contract/alarm-kinds'

/** What the form of a rule holds. */
export interface RuleValues extends Record<string, unknown> {
  name: string
  kind: AlarmKind
  is_on: boolean
  limits: Partial<Record<AlarmLimit, number | string | null>>
  where: { workflow_ids: number[]; lane_ids: number[]; api_ids: number[] }
  calendar: { time_zone: string; weekdays: number[]; from: string; to: string }
  channels: { is_all: boolean; ids: number[] }
  repeat_hours: number | string
  escalate_minutes: number | string | null
  escalation_ids: number[]
}

export type RuleFormApi = UseFormReturnType<RuleValues>

/** A new rule. */
export const blankRule: RuleValues = {
  name: '',
  kind: 'unknown',
  is_on: true,
  limits: {},
  where: { workflow_ids: [], lane_ids: [], api_ids: [] },
  calendar: {
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    weekdays: [1, 2, 3, 4, 5],
    from: '08:00',
    to: '18:00',
  },
  channels: { is_all: true, ids: [] },
  repeat_hours: 24,
  escalate_minutes: '',
  escalation_ids: [],
}
