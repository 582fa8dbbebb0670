import { momentWords } from '../moment-words.ts'
import type { Db } from '../../../db/connect.ts'
import { limitOf, type Asked, type Finding } from '../finding.ts'
import { workingMsBetween } from '../working-time.ts'
import { isWorkflowWithin } from './run-reach.ts'

/** Workflows of which no run was accepted for too long, counted in working time. */
export function silenceFindings(db: Db) {
  const lastAccepted = async (workflowId: number) => {
    const row = await db
      .selectFrom('run')
      .select(['created_at', 'finished_at'])
      .where('workflow_id', '=', workflowId)
      .where('state', '=', 'succeeded')
      .where('is_test', '=', 0)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && (row.finished_at ?? row.created_at)
  }

  return async ({ now, rule, reach, open }: Asked): Promise<Finding[]> => {
    const workflows = await db
      .selectFrom('workflow')
      .select(['id', 'name', 'updated_at'])
      .where('deleted_at', 'is', null)
      .where('status', '=', 'active')
      .execute()
    const mostMs = limitOf(rule, 'hours') * 3_600_000
    const found: Finding[] = []
    for (const { id, name } of workflows) {
      if (!isWorkflowWithin(reach, id)) continue
      const last = await lastAccepted(id)
      // Nothing is missed before the rule was there.
      const moments = [last ?? '', rule.on_since ?? now.toISOString()]
      const since = moments.reduce((one, other) => (one > other ? one : other))
      const subject = `workflow:${id}`
      const known = open.find((alarm) => alarm.subject === subject)
      const isStill = known !== undefined && (last ?? '') <= known.since
      if (!isStill && workingMsBetween(rule.calendar, new Date(since), now) < mostMs) continue
      found.push({
        subject,
        title: `No run of ${name} was accepted ${last ? `since ${momentWords(last)}` : 'yet'}`,
        path: `/dashboard/admin/workflows/${id}`,
        since: known?.since ?? since,
      })
    }
    return found
  }
}
