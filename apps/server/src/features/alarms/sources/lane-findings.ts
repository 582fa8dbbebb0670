import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { ago, findingsMax, idsIn, limitOf, type Asked, type Finding } from '../finding.ts'
import { isLaneWithin, isRunWithin } from './run-reach.ts'

const lanesPath = '/dashboard/admin/lanes'
const thousands = (count: number) => count.toLocaleString('en')

const list = (ids: readonly number[]) => sql.join(ids.length === 0 ? [-1] : ids)

export function laneFindings(db: Db) {
  return {
    lane_outage: async ({ now, rule, reach, open }: Asked): Promise<Finding[]> => {
      const before = ago(now, limitOf(rule, 'minutes'))
      const lanes = await db
        .selectFrom('lane')
        .select(['id', 'name', 'outage_since'])
        .where('outage_since', 'is not', null)
        .where((each) =>
          each.or([
            each('outage_since', '<=', before),
            each('id', 'in', [...idsIn(open, 'lane'), -1]),
          ]),
        )
        .where(isLaneWithin(reach))
        .execute()
      return lanes.map(({ id, name, outage_since }) => ({
        subject: `lane:${id}`,
        title: `The authority of the lane ${name} does not answer`,
        path: lanesPath,
        since: outage_since ?? now.toISOString(),
      }))
    },
    /** Counts no further than the limit. */
    lane_depth: async ({ now, rule, reach, open }: Asked): Promise<Finding[]> => {
      const most = limitOf(rule, 'runs')
      const lanes = await db
        .selectFrom('lane')
        .select(['id', 'name'])
        .where(isLaneWithin(reach))
        .execute()
      const found: Finding[] = []
      for (const { id, name } of lanes) {
        const { rows } = await sql<{ count: number }>`select count(*) as count from
          (select 1 from lane_entry where lane_id = ${id} and state = 'queued'
            limit ${most + 1}) as counted`.execute(db)
        if ((rows[0]?.count ?? 0) <= most) continue
        const known = open.find(({ subject }) => subject === `lane:${id}`)
        found.push({
          subject: `lane:${id}`,
          title: `More than ${thousands(most)} runs wait in the lane ${name}`,
          path: lanesPath,
          since: known?.since ?? now.toISOString(),
        })
      }
      return found
    },
    /** Lanes that have paused themselves: a sign-in was refused. */
    pausedLanes: async ({ now, reach }: Asked): Promise<Finding[]> => {
      const lanes = await db
        .selectFrom('lane')
        .select(['id', 'name', 'paused_at', 'pause_reason'])
        .where('is_paused', '=', 1)
        .where('paused_by', 'is', null)
        .where(isLaneWithin(reach))
        .execute()
      return lanes.map(({ id, name, paused_at, pause_reason }) => ({
        subject: `lane:${id}`,
        title: `The lane ${name} has paused itself: ${pause_reason}`,
        path: lanesPath,
        since: paused_at ?? now.toISOString(),
        log: {
          message: 'a lane has paused itself: see to the sign-in, then resume the lane',
          fields: { lane_id: id, lane: name, reason: pause_reason },
        },
      }))
    },
    /**
     * Runs that are not sent and whose deadline is near. A lane may allow less time than the rule's minutes: then
     * the second half of the time counts. A run that was not sent in time keeps its alarm until a person has
     * seen to it.
     */
    deadline: async (asked: Asked): Promise<Finding[]> => {
      const { now, rule, open } = asked
      const minutes = limitOf(rule, 'minutes')
      const late = await missed(db, idsIn(open, 'run'))
      const near = await unsent(db, asked, ago(now, -minutes))
      const known = new Set(idsIn(open, 'run'))
      const isNear = ({ id, queued_at, deadline_at }: (typeof near)[number]) =>
        known.has(id) ||
        now.getTime() >= (Date.parse(queued_at) + Date.parse(deadline_at ?? queued_at)) / 2
      return [...near.filter(isNear), ...late].slice(0, findingsMax).map((run) => ({
        subject: `run:${run.id}`,
        title: `Run ${run.id}${run.reference === null ? '' : ` (${run.reference})`} is not sent; its deadline is ${run.deadline_at ?? 'over'}`,
        path: `/dashboard/admin/runs/${run.id}`,
        since: run.queued_at,
      }))
    },
  }
}

function unsent(db: Db, { reach }: Asked, until: string) {
  return db
    .selectFrom('lane_entry')
    .innerJoin('run', 'run.id', 'lane_entry.run_id')
    .select(['run.id', 'run.reference', 'lane_entry.queued_at', 'lane_entry.deadline_at'])
    .where('lane_entry.state', 'in', ['queued', 'waiting'])
    .where('lane_entry.deadline_at', 'is not', null)
    .where('lane_entry.deadline_at', '<=', until)
    .where('run.is_test', '=', 0)
    .where(isRunWithin(reach))
    .orderBy('lane_entry.deadline_at')
    .limit(findingsMax)
    .execute()
}

/** Of these, the runs that are still in their lane whatever the clock says, and those that came too late. */
async function missed(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('run')
    .leftJoin('lane_entry', 'lane_entry.run_id', 'run.id')
    .select(['run.id', 'run.reference', 'run.created_at as queued_at', 'lane_entry.deadline_at'])
    .where(sql<boolean>`run.id in (${list(ids)})`)
    .where('run.closed_at', 'is', null)
    .where('run.overtaken_by', 'is', null)
    .where((each) =>
      each.or([
        each('run.state', 'in', ['not_started', 'stopped']),
        each.and([
          each('lane_entry.state', 'in', ['queued', 'waiting']),
          each('lane_entry.deadline_at', 'is not', null),
        ]),
      ]),
    )
    .execute()
  return rows
}
