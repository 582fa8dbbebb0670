import { sql, type SqlBool } from 'kysely'
import type { Reach } from '../finding.ts'
import { isNarrowed, type Where } from '../rule-settings.ts'

const list = (ids: readonly number[]) => sql.join(ids.length === 0 ? [-1] : ids)

/** The run is of one of these workflows, lanes or APIs. */
const runTouches = ({ workflow_ids, lane_ids, api_ids }: Where) => sql<SqlBool>`(
  run.workflow_id in (${list(workflow_ids)})
  or run.workflow_id in (select id from workflow where lane_id in (${list(lane_ids)}))
  or exists (select 1 from run_step
    inner join endpoint on endpoint.id = run_step.endpoint_id
    where run_step.run_id = run.id and endpoint.api_id in (${list(api_ids)})))`

/** The lane is one of these, or that of one of these workflows. */
const laneTouches = ({ workflow_ids, lane_ids }: Where) => sql<SqlBool>`(
  lane.id in (${list(lane_ids)})
  or lane.id in (select lane_id from workflow where id in (${list(workflow_ids)})))`

const within = (touches: (where: Where) => ReturnType<typeof runTouches>) => (reach: Reach) => {
  const { only, except } = reach
  const isInside = only && isNarrowed(only) ? touches(only) : sql<SqlBool>`1 = 1`
  const outside = except.map((where) => sql<SqlBool>`not ${touches(where)}`)
  return sql.join<SqlBool>([isInside, ...outside], sql` and `)
}

/** True for the runs that a rule is about. A run without a workflow is in none of the lists. */
export const isRunWithin = (reach: Reach) =>
  sql<SqlBool>`(${within((where) => sql<SqlBool>`coalesce(${runTouches(where)}, false)`)(reach)})`

export const isLaneWithin = (reach: Reach) => sql<SqlBool>`(${within(laneTouches)(reach)})`

/** The same for an API, by its id. */
export function isApiWithin({ only, except }: Reach, apiId: number): boolean {
  if (only && isNarrowed(only) && !only.api_ids.includes(apiId)) return false
  return !except.some(({ api_ids }) => api_ids.includes(apiId))
}

export function isWorkflowWithin({ only, except }: Reach, id: number): boolean {
  if (only && isNarrowed(only) && !only.workflow_ids.includes(id)) return false
  return !except.some(({ workflow_ids }) => workflow_ids.includes(id))
}
