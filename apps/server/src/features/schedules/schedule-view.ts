import { readRow } from '../../db/tables/column.ts'
import { firingShown, scheduleForm } from '../../db/tables/schedules.ts'
import type { FiringRow } from './firing-store.ts'
import { listOf } from './schedule-parts.ts'
import type { ScheduleRow } from './schedule-store.ts'

export const shownFiring = (row: FiringRow) => readRow(firingShown, row)

/** A schedule as its form shows it. It holds no secret. */
export function shownSchedule(row: ScheduleRow) {
  return {
    id: row.id,
    version: row.version,
    workflow: { id: row.workflow_id, slug: row.workflow_slug, name: row.workflow_name },
    ...readRow(scheduleForm, row),
    input: row.input ?? '',
    list: row.list === null ? null : listOf(row.list, row.watermark),
    user: { id: row.user_id, name: row.user_name },
    next_run_at: row.next_run_at,
    updated_at: row.updated_at,
  }
}
