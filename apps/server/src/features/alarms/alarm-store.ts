import type { AlarmKind, AlarmState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { inParts } from '../../kernel/in-parts.ts'
import { lockUntilCommit } from '../../db/dialect.ts'
import { containsWords, type ListQuery } from '../../db/listing.ts'
import { listedMax } from '../../db/long-list.ts'
import { carriesOfRegister, registersOfRuns } from '../../db/lists/registers.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

export interface AlarmFilter extends ListQuery {
  state?: AlarmState | 'current' | '' | undefined
  kind?: AlarmKind | '' | undefined
  register?: string | undefined
}

const checkLock = 4_702
/** Rows of one insert. */
const rowsMax = 50
/** A text is looked for in that many of the newest alarms. */
const searchedMax = 20_000
const isRecent = sql<boolean>`alarm.id > (select coalesce(max(id), 0) from alarm) - ${sql.lit(searchedMax)}`
const bellMax = 1000
const bellShown = 8

/** Of subjects like `run:12`. */
const idIn = (subject: string) => {
  const digits = /^[a-z]+:(\d{1,9})$/.exec(subject)?.[1]
  return digits === undefined ? [] : [Number(digits)]
}

/** It is about a run that carries a document of the register, or about an API that has it. */
function isOfRegister(db: Db, register: string) {
  const id = sql`cast(substr(alarm.subject, 5) as integer)`
  return sql<boolean>`case
    when alarm.subject like 'run:%' then ${carriesOfRegister(db, id, register)}
    when alarm.subject like 'api:%' then exists (select 1 from api where api.id = ${id} and api.document_register = ${register})
    else false end`
}

const list = (ids: readonly number[]) => sql.join(ids.length === 0 ? [-1] : ids)

/** Alarms, from the check that raises them to the person who sees to them. */
export function alarmStore(db: Db) {
  const notMuted = (now: string) => sql<boolean>`not exists (
    select 1 from alarm_mute where alarm_mute.rule_id = alarm.rule_id
      and alarm_mute.subject in ('', alarm.subject) and alarm_mute.until > ${now})`

  const filtered = ({ state, kind, register, search }: AlarmFilter) => {
    let query = db.selectFrom('alarm')
    if (search !== '') query = query.where(containsWords(search, ['alarm.title'])).where(isRecent)
    if (kind) query = query.where('kind', '=', kind)
    if (register) query = query.where(isOfRegister(db, register))
    if (state === 'ended') query = query.where('ended_at', 'is not', null)
    if (state === 'current' || state === 'open' || state === 'acknowledged')
      query = query.where('ended_at', 'is', null)
    if (state === 'open') query = query.where('acknowledged_at', 'is', null)
    if (state === 'acknowledged') query = query.where('acknowledged_at', 'is not', null)
    return query
  }

  return {
    /** Of several servers, one at a time decides what is raised and told, until its commit. */
    lockCheck: () => lockUntilCommit(db, checkLock),
    listOpen: () =>
      db.selectFrom('alarm').selectAll().where('ended_at', 'is', null).orderBy('id').execute(),
    /** The ids by subject, without those that have an alarm already. */
    raise: async (rows: readonly NewRow<'alarm'>[]) => {
      const raised = []
      for (const some of inParts(rows, rowsMax))
        raised.push(
          ...(await db
            .insertInto('alarm')
            .values(some)
            .onConflict((conflict) => conflict.doNothing())
            .returningAll()
            .execute()),
        )
      return raised
    },
    /** Of these alarms, those that were open. */
    change: (ids: readonly number[], change: RowChange<'alarm'>) =>
      db
        .updateTable('alarm')
        .set(change)
        .where(sql<boolean>`id in (${list(ids)})`)
        .where('ended_at', 'is', null)
        .returningAll()
        .execute(),
    /** Of these alarms, those that nobody had acknowledged. */
    acknowledge: (ids: readonly number[], change: RowChange<'alarm'>) =>
      db
        .updateTable('alarm')
        .set(change)
        .where(sql<boolean>`id in (${list(ids)})`)
        .where('ended_at', 'is', null)
        .where('acknowledged_at', 'is', null)
        .returningAll()
        .execute(),
    /** Of the runs and APIs that these alarms are about, by their ids. */
    registersOf: async (alarms: readonly Pick<Row<'alarm'>, 'id' | 'subject'>[]) => {
      const idsOf = (noun: string) =>
        alarms.flatMap(({ subject }) => (subject.startsWith(noun) ? idIn(subject) : []))
      const runs = await registersOfRuns(db, idsOf('run:'))
      const ids = idsOf('api:')
      const apis = await db
        .selectFrom('api')
        .select(['id', 'document_register'])
        .where('id', 'in', [...ids, 0])
        .execute()
      const ofApi = new Map(apis.map(({ id, document_register }) => [id, [document_register]]))
      return new Map(
        alarms.map(({ id, subject }) => {
          const [thing = 0] = idIn(subject)
          const found = subject.startsWith('run:') ? runs : ofApi
          const isKnown = subject.startsWith('run:') || subject.startsWith('api:')
          return [id, (isKnown && found.get(thing)) || []]
        }),
      )
    },
    find: (id: number) =>
      db.selectFrom('alarm').selectAll().where('id', '=', id).executeTakeFirst(),
    /** Open ones first, then the newest. Ends after 10,000 rows. */
    list: async (filter: AlarmFilter) => {
      const { page, limit, sort } = filter
      const { found } = await db
        .selectFrom(
          filtered(filter)
            .select('id')
            .limit(listedMax + 1)
            .as('counted'),
        )
        .select(sql<number>`count(*)`.as('found'))
        .executeTakeFirstOrThrow()
      const total = Math.min(found, listedMax)
      const rows = await filtered(filter)
        .selectAll()
        .orderBy(sql`case when ended_at is null then 0 else 1 end`)
        .orderBy('id', sort === 'id' ? 'asc' : 'desc')
        .limit(Math.max(0, Math.min(limit, total - (page - 1) * limit)))
        .offset((page - 1) * limit)
        .execute()
      return { rows, total, hasMore: found > listedMax, isSearchPartial: false }
    },
    /** What the bell shows: not acknowledged, not muted. */
    bell: async (now: string) => {
      const query = filtered({ page: 1, limit: 1, search: '', state: 'open' }).where(notMuted(now))
      const { count } = await db
        .selectFrom(query.select('id').limit(bellMax).as('counted'))
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      const rows = await query.selectAll().orderBy('id', 'desc').limit(bellShown).execute()
      return { count, rows }
    },
    /** How many are open, by kind. */
    countOpen: () =>
      db
        .selectFrom('alarm')
        .select(['kind', sql<number>`count(*)`.as('count')])
        .where('ended_at', 'is', null)
        .groupBy('kind')
        .execute(),
  }
}
