import { listOf } from './schedule-parts.ts'
import type { ScheduleRow } from './schedule-store.ts'

/** A schedule as its form shows it. It holds no secret. */
export function shownSchedule(row: ScheduleRow) {
  return {
    id: row.id,
    version: row.version,
    workflow: { id: row.workflow_id, slug: row.workflow_slug, name: row.workflow_name },
    name: row.name,
    cron: row.cron,
    time_zone: row.time_zone,
    is_active: row.is_active === 1,
    catches_up: row.catches_up === 1,
    start: row.start,
    input: row.input ?? '',
    list: row.list === null ? null : listOf(row.list, row.watermark),
    user: { id: row.user_id, name: row.user_name },
    next_run_at: row.next_run_at,
    updated_at: row.updated_at,
  }
}
