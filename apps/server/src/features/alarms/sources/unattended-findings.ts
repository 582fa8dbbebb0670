import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { ago, idsIn, limitOf, type Asked, type Finding } from '../finding.ts'
import { isWorkflowWithin } from './run-reach.ts'

/** Receivers that are named. */
const placesMax = 200

/** What other unattended work leaves undone: schedules, and deliveries. */
export function unattendedFindings(db: Db) {
  const schedules = () =>
    db
      .selectFrom('schedule')
      .leftJoin('schedule_firing as last', (join) =>
        join.on(
          'last.id',
          '=',
          sql<number>`(select max(id) from schedule_firing
            where schedule_id = schedule.id and state not in ('running', 'skipped'))`,
        ),
      )
      .select(['schedule.id', 'schedule.name', 'schedule.workflow_id', 'next_run_at'])
      .select(['last.state', 'last.message', 'last.ended_at', 'last.planned_for'])
      .where('schedule.is_active', '=', 1)
      .execute()

  return {
    /** A schedule that is overdue, or whose last firing did not do what it should. */
    schedule: async ({ now, rule, reach, open }: Asked): Promise<Finding[]> => {
      const due = ago(now, limitOf(rule, 'minutes'))
      const known = new Set(idsIn(open, 'schedule'))
      return (await schedules()).flatMap((row) => {
        const { id, name, workflow_id, next_run_at, state, message, ended_at } = row
        if (!isWorkflowWithin(reach, workflow_id)) return []
        const about = { subject: `schedule:${id}`, path: `/dashboard/admin/schedules/${id}` }
        if (next_run_at !== null && next_run_at <= due)
          return [{ ...about, since: next_run_at, title: `The schedule ${name} did not fire` }]
        const isBad = state === 'failed' || state === 'refused' || state === 'missed'
        if (!isBad || ended_at === null) return []
        if (!known.has(id) && ended_at < (rule.on_since ?? now.toISOString())) return []
        const title = `The schedule ${name} has ${state === 'missed' ? 'missed a moment' : 'failed'}: ${message ?? state}`
        return [{ ...about, since: row.planned_for ?? ended_at, title }]
      })
    },
    /** Deliveries that were given up since the rule is on, by receiver. */
    dead_letter: async ({ now, rule }: Asked): Promise<Finding[]> => {
      const rows = await db
        .selectFrom('delivery')
        .select(['place', sql<string>`min(ended_at)`.as('since')])
        .where('state', '=', 'dead')
        .where('ended_at', '>=', rule.on_since ?? now.toISOString())
        .groupBy('place')
        .orderBy('place')
        .limit(placesMax)
        .execute()
      return rows.map(({ place, since }) => ({
        subject: `place:${place}`,
        title: `Deliveries to ${place} were given up`,
        path: '/dashboard/admin/alarm-channels',
        since,
      }))
    },
  }
}
