import { pendingMinutesDefault } from '@gatehouse/contract'
import { sql, type SqlBool } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { readByIndex, withoutIndex } from '../../../db/dialect.ts'
import { ago, findingsMax, idsIn, type Asked, type Finding } from '../finding.ts'
import { endpointWindows, namedEndpoints, type WindowGroup } from './endpoint-windows.ts'
import { isRunWithin } from './run-reach.ts'

interface FoundRun {
  id: number
  kind: string
  reference: string | null
  since: string | null
}

const list = (ids: readonly number[]) => sql.join(ids.length === 0 ? [-1] : ids)
const nameOf = ({ id, reference }: Pick<FoundRun, 'id' | 'reference'>) =>
  reference === null ? `Run ${id}` : `Run ${id} (${reference})`
const pathOf = ({ id }: Pick<FoundRun, 'id'>) => `/dashboard/admin/runs/${id}`

/** The step that decides is of an endpoint of the group. */
function isOfGroup(group: WindowGroup, groups: readonly WindowGroup[], state: string) {
  const named = namedEndpoints(groups)
  if (group.endpointIds === null && named.length === 0) return sql<SqlBool>`1 = 1`
  const among =
    group.endpointIds === null ? sql`not in (${list(named)})` : sql`in (${list(group.endpointIds)})`
  return sql<SqlBool>`exists (select 1 from run_step where run_step.run_id = run.id
    and run_step.state = ${state} and run_step.endpoint_id ${among})`
}

/** One finding for each run, the oldest first, and one more that says that there are more. */
function findingsOf(
  rows: readonly FoundRun[],
  toFinding: (run: FoundRun) => Finding,
  listPath = '/dashboard/admin/runs',
): Finding[] {
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()]
  const findings = unique.slice(0, findingsMax).map(toFinding)
  const [first] = findings
  if (unique.length <= findingsMax || !first) return findings
  const title = `There are more than ${findingsMax.toLocaleString('en')} of them`
  return [...findings, { ...first, subject: 'more', title, path: listPath }]
}

const unknownFinding = (run: FoundRun, now: Date): Finding => ({
  subject: `run:${run.id}`,
  title: `${nameOf(run)}: the outcome is unknown`,
  path: pathOf(run),
  since: run.since ?? now.toISOString(),
  log: {
    message: 'the outcome of this run is still unknown: resolve it under Unclear',
    fields: {
      run_id: run.id,
      kind: run.kind,
      reference: run.reference,
      unknown_since: run.since,
    },
  },
})

/** Runs whose outcome is unknown, or pending, for too long. */
function stuckRuns(db: Db) {
  const read = ({ reach }: Asked, state: 'unknown' | 'pending', condition: SqlCondition) => {
    const since =
      state === 'unknown'
        ? sql<string>`run.unknown_since`
        : sql<string>`(select min(since) from pending_step where pending_step.run_id = run.id)`
    return db
      .selectFrom('run')
      .select(['run.id', 'run.kind', 'run.reference', since.as('since')])
      .where('run.state', '=', state)
      .where(sql<SqlBool>`${withoutIndex(db, 'run.is_test')} = 0`)
      .where(isRunWithin(reach))
      .where(condition)
  }
  const before = (state: 'unknown' | 'pending', moment: string): SqlCondition =>
    state === 'unknown'
      ? sql<SqlBool>`run.unknown_since <= ${moment}`
      : sql<SqlBool>`run.id in (select run_id from pending_step
          where poll_id is not null and since <= ${moment})`

  /** Those that are new come with `limit`; those with an alarm stay while the state does. */
  return async (asked: Asked, state: 'unknown' | 'pending', byDefault: number) => {
    const { now, rule, open } = asked
    const { minutes } = rule.limits
    const groups =
      typeof minutes === 'number'
        ? [{ minutes, endpointIds: null }]
        : await endpointWindows(db, `${state}Minutes`, byDefault)
    const rows: FoundRun[] = []
    const ids = idsIn(open, 'run')
    if (ids.length > 0)
      rows.push(...(await read(asked, state, sql`run.id in (${list(ids)})`).execute()))
    for (const group of groups) {
      const condition = sql<SqlBool>`${before(state, ago(now, group.minutes))}
        and ${isOfGroup(group, groups, state)}`
      const order = state === 'unknown' ? 'run.unknown_since' : 'run.id'
      const query = read(asked, state, condition)
        .orderBy(order)
        .limit(findingsMax + 1)
      rows.push(...(await query.execute()))
    }
    return rows
  }
}

/** Those that were refused since a moment, and that need a person, the oldest first. */
const refusedSince = (db: Db, from: string) => sql<SqlBool>`id in (
  select id from ${readByIndex(db, 'run', 'run_refused')}
    where state in ('rejected', 'partial') and overtaken_by is null and closed_at is null
      and finished_at >= ${from} and is_test = 0 and kind <> 'build'
    order by finished_at limit ${findingsMax + 1})`

type SqlCondition = ReturnType<typeof isRunWithin>

export function runFindings(db: Db, unknownMinutes: number) {
  const stuck = stuckRuns(db)
  return {
    unknown: async (asked: Asked): Promise<Finding[]> =>
      findingsOf(
        await stuck(asked, 'unknown', unknownMinutes),
        (run) => unknownFinding(run, asked.now),
        '/dashboard/admin/unclear?state=unknown',
      ),
    /** Until a person has acknowledged it. One that comes once more is told again. */
    contradicted: async ({ reach, rule }: Asked): Promise<Finding[]> =>
      findingsOf(
        await db
          .selectFrom('run')
          .select(['id', 'kind', 'reference', 'contradicted_at as since'])
          .where('contradicted_at', 'is not', null)
          .where(sql<SqlBool>`${withoutIndex(db, 'is_test')} = 0`)
          .where(isRunWithin(reach))
          .where(sql<SqlBool>`not exists (select 1 from alarm where alarm.kind = 'contradicted' and alarm.rule_id = ${rule.id}
            and alarm.subject = 'run:' || run.id and alarm.level = run.contradicted_at
            and alarm.acknowledged_at is not null)`)
          .orderBy('contradicted_at')
          .limit(findingsMax + 1)
          .execute(),
        (run) => ({
          subject: `run:${run.id}`,
          level: run.since ?? '',
          title: `${nameOf(run)}: the authority has it, although it was said not to be received`,
          path: pathOf(run),
          since: run.since ?? '',
        }),
      ),
    pending: async (asked: Asked): Promise<Finding[]> =>
      findingsOf(await stuck(asked, 'pending', pendingMinutesDefault), (run) => ({
        subject: `run:${run.id}`,
        title: `${nameOf(run)}: the authority has not decided`,
        path: pathOf(run),
        since: run.since ?? asked.now.toISOString(),
      })),
    release: async (asked: Asked): Promise<Finding[]> => {
      const rows = await db
        .selectFrom('run_release')
        .innerJoin('run', 'run.id', 'run_release.run_id')
        .select(['run.id', 'run.kind', 'run.reference', 'run_release.asked_at as since'])
        .where('run_release.decision', 'is', null)
        .where(sql<SqlBool>`${withoutIndex(db, 'run.is_test')} = 0`)
        .where(isRunWithin(asked.reach))
        .orderBy('run_release.asked_at')
        .limit(findingsMax + 1)
        .execute()
      return findingsOf(
        rows,
        (run) => ({
          subject: `run:${run.id}`,
          title: `${nameOf(run)}: a person has to release it`,
          path: pathOf(run),
          since: run.since ?? asked.now.toISOString(),
        }),
        '/dashboard/admin/runs?state=waits_for_release',
      )
    },
    rejected: async (asked: Asked): Promise<Finding[]> => {
      const { rule, reach, now, open } = asked
      const read = (condition: SqlCondition) =>
        db
          .selectFrom('run')
          .select(['id', 'kind', 'reference', 'finished_at as since'])
          .where(sql<SqlBool>`${withoutIndex(db, 'state')} in ('rejected', 'partial')
            and overtaken_by is null and closed_at is null`)
          .where(sql<SqlBool>`${withoutIndex(db, 'is_test')} = 0`)
          // A person who builds a request sees its answer.
          .where('kind', '<>', 'build')
          .where(isRunWithin(reach))
          .where(condition)
      const from = rule.on_since ?? now.toISOString()
      const ids = idsIn(open, 'run')
      const rows = [
        ...(ids.length === 0 ? [] : await read(sql`id in (${list(ids)})`).execute()),
        ...(await read(refusedSince(db, from))
          .orderBy('finished_at')
          .limit(findingsMax + 1)
          .execute()),
      ]
      return findingsOf(rows, (run) => ({
        subject: `run:${run.id}`,
        title: `${nameOf(run)}: the authority has rejected it`,
        path: pathOf(run),
        since: run.since ?? now.toISOString(),
      }))
    },
  }
}
