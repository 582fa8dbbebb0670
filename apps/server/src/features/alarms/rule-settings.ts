import {
  factsOfAlarm,
  type AlarmCalendar,
  type AlarmKind,
  type AlarmLimit,
} from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'

/** What a rule is narrowed to; three blank lists: everything. */
export interface Where {
  workflow_ids: number[]
  lane_ids: number[]
  api_ids: number[]
}

/** The settings of a rule, as JSON in its row; a rule of a migration names its limits only. */
export interface RuleSettings {
  limits: Partial<Record<AlarmLimit, number | null>>
  where: Where
  calendar: AlarmCalendar
  channels: { is_all: boolean; ids: number[] }
  repeat_hours: number
  escalate_minutes: number | null
  escalation_ids: number[]
}

/** A rule with its settings read. */
export interface Rule extends Omit<Row<'alarm_rule'>, 'settings'>, RuleSettings {}

const byDefault: Omit<RuleSettings, 'limits'> = {
  where: { workflow_ids: [], lane_ids: [], api_ids: [] },
  calendar: { time_zone: 'UTC', weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
  channels: { is_all: true, ids: [] },
  repeat_hours: 24,
  escalate_minutes: null,
  escalation_ids: [],
}

export function readRule({ settings, ...row }: Row<'alarm_rule'>): Rule {
  const stored = JSON.parse(settings) as Partial<RuleSettings>
  return { ...row, ...byDefault, ...stored, limits: limitsOf(row.kind, stored.limits ?? {}) }
}

/** The limits of the kind, each with its default where the rule names none. */
export function limitsOf(kind: AlarmKind, given: RuleSettings['limits']): RuleSettings['limits'] {
  const { limits } = factsOfAlarm(kind)
  const names = Object.keys(limits) as AlarmLimit[]
  return Object.fromEntries(names.map((name) => [name, given[name] ?? limits[name] ?? null]))
}

export const isNarrowed = ({ workflow_ids, lane_ids, api_ids }: Where) =>
  workflow_ids.length + lane_ids.length + api_ids.length > 0
