import type { Db } from '../../db/connect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

type ScheduleStore = ReturnType<typeof scheduleStore>
/** A schedule with the name of its workflow. */
export type ScheduleRow = NonNullable<Awaited<ReturnType<ScheduleStore['find']>>>

export interface ScheduleFilter extends ListQuery {
  workflow?: number | undefined
}

/** Schedules of workflows that are not deleted. */
export function scheduleStore(db: Db) {
  const withWorkflow = () =>
    db
      .selectFrom('schedule')
      .innerJoin('workflow', 'workflow.id', 'schedule.workflow_id')
      .where('workflow.deleted_at', 'is', null)
  const columns = ['workflow.slug as workflow_slug', 'workflow.name as workflow_name'] as const

  return {
    list: ({ workflow, ...query }: ScheduleFilter) =>
      readPage(
        withWorkflow()
          .selectAll('schedule')
          .select(columns)
          .$if(workflow !== undefined, (rows) =>
            rows.where('schedule.workflow_id', '=', workflow ?? 0),
          )
          .$if(query.search !== '', (rows) =>
            rows.where(
              containsWords(query.search, ['schedule.name', 'workflow.name', 'workflow.slug']),
            ),
          )
          .orderBy(listOrder(query.sort, 'schedule.id', ['name'])),
        query,
      ),
    find: (id: number) =>
      withWorkflow()
        .selectAll('schedule')
        .select(columns)
        .where('schedule.id', '=', id)
        .executeTakeFirst(),
    findWorkflow: (id: number) =>
      db
        .selectFrom('workflow')
        .select(['id', 'slug', 'name'])
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst(),
    insert: (row: NewRow<'schedule'>) =>
      db.insertInto('schedule').values(row).returning('id').executeTakeFirstOrThrow(),
    /** Undefined where another user has changed it since this version. */
    update: (id: number, version: number, change: RowChange<'schedule'>) =>
      updateIfUnchanged(db, 'schedule', id, version, change),
    remove: (id: number) => db.deleteFrom('schedule').where('id', '=', id).execute(),
    /** Those whose moment has come, of workflows that are not deleted. */
    /** `only`: of these alone. */
    listDue: (now: string, limit: number, only?: readonly number[]) =>
      withWorkflow()
        .selectAll('schedule')
        .select(columns)
        .where('schedule.is_active', '=', 1)
        .where('schedule.next_run_at', '<=', now)
        .$if(only !== undefined, (rows) => rows.where('schedule.id', 'in', [...(only ?? []), 0]))
        .orderBy('schedule.next_run_at')
        .limit(limit)
        .execute(),
    /** False where another server has moved it on, or a user has changed it. */
    moveOn: async ({ id, version, next_run_at }: Row<'schedule'>, to: string | null) => {
      const { numUpdatedRows } = await db
        .updateTable('schedule')
        .set({ next_run_at: to })
        .where('id', '=', id)
        .where('version', '=', version)
        .where('next_run_at', '=', next_run_at)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Unless a user has changed the schedule since. */
    setWatermark: ({ id, version }: Pick<Row<'schedule'>, 'id' | 'version'>, watermark: string) =>
      db
        .updateTable('schedule')
        .set({ watermark })
        .where('id', '=', id)
        .where('version', '=', version)
        .execute(),
    /**
     * Active schedules that did not fire as they should: their moment passed before `before` and nothing
     * happened, or their last firing was refused, failed or missed.
     */
    listLate: (before: Date, limit = 100) =>
      withWorkflow()
        .leftJoin('schedule_firing as last', (join) =>
          join.on('last.id', '=', (where) =>
            where
              .selectFrom('schedule_firing as any')
              .select(({ fn }) => fn.max('any.id').as('id'))
              .whereRef('any.schedule_id', '=', 'schedule.id'),
          ),
        )
        .select(['schedule.id', 'schedule.name', 'schedule.workflow_id', 'schedule.next_run_at'])
        .select(columns)
        .select(['last.state', 'last.planned_for', 'last.message'])
        .where('schedule.is_active', '=', 1)
        .where((where) =>
          where.or([
            where('schedule.next_run_at', '<', before.toISOString()),
            where('last.state', 'in', ['refused', 'failed', 'missed']),
          ]),
        )
        .orderBy('schedule.id')
        .limit(limit)
        .execute(),
  }
}
