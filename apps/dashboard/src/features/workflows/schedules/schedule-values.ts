import type { ScheduleRecord } from '@gatehouse/contract'
import type { UseFormReturnType } from '@mantine/form'
import type { ScheduleBody } from './schedule-queries.ts'

export interface ScheduleValues extends Record<string, unknown> {
  name: string
  cron: string
  time_zone: string
  is_active: boolean
  catches_up: boolean
  start: 'input' | 'list'
  input: string
  list: {
    endpoint_id: string | null
    request: string
    items_path: string
    reference_path: string
    watermark: { path: string; type: 'text' | 'number'; value: string }
  }
}

export type ScheduleForm = UseFormReturnType<ScheduleValues>

export const newScheduleValues = (sample: string, reference_path: string): ScheduleValues => ({
  name: '',
  cron: '0 6 * * *',
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  is_active: true,
  catches_up: true,
  start: 'input',
  input: sample,
  list: {
    endpoint_id: null,
    request: '',
    items_path: '',
    reference_path,
    watermark: { path: '', type: 'text', value: '' },
  },
})

export function toScheduleValues(schedule: ScheduleRecord): ScheduleValues {
  const { list, start, input, name, cron, time_zone, is_active, catches_up } = schedule
  const blank = newScheduleValues('', '').list
  return {
    name,
    cron,
    time_zone,
    is_active,
    catches_up,
    start,
    input,
    list: list
      ? {
          ...list,
          endpoint_id: String(list.endpoint_id),
          watermark: list.watermark ?? blank.watermark,
        }
      : blank,
  }
}

/** The list as it is sent; a watermark without a path is none. */
export function listBodyOf({ list }: ScheduleValues): NonNullable<ScheduleBody['list']> {
  const { endpoint_id, watermark, ...rest } = list
  return {
    ...rest,
    endpoint_id: Number(endpoint_id ?? 0),
    watermark: watermark.path.trim() === '' ? null : watermark,
  }
}

export function toScheduleBody(
  values: ScheduleValues,
  workflow_id: number,
  version?: number,
): ScheduleBody {
  const { name, cron, time_zone, is_active, catches_up, start, input } = values
  const isList = start === 'list'
  return {
    name,
    cron,
    time_zone,
    is_active,
    catches_up,
    start,
    workflow_id,
    input: isList ? '' : input,
    list: isList ? listBodyOf(values) : null,
    ...(version === undefined ? {} : { version }),
  }
}
