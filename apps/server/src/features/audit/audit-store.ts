import type { AuditThing } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { directionOf, inOrderOf, isSearchAlone, walkTo, type ListQuery } from '../../db/listing.ts'
import {
  areManyHits,
  beside,
  countHolders,
  holdsText,
  holdsTextOften,
  isOneThatHolds,
} from '../../db/search.ts'
import type { Row } from '../../db/tables.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'

export type AuditStore = ReturnType<typeof auditStore>
export type AuditRow = Row<'audit_event'>

/** An event to record. `before` and `after` hold no secrets, because presenters make them. */
export interface AuditEntry {
  action: string
  thing: AuditThing
  id?: number | null
  name: string
  outcome?: 'done' | 'refused'
  /** How often it happened: 1 unless repeats share this row. */
  times?: number
  before?: object | undefined
  after?: object | undefined
}

/** Whose sign-in failed, or has not succeeded yet. */
export interface AnonymousActor {
  requestId: string
  address: string
  user?: { id: number; name: string }
}

export interface AuditFilter extends ListQuery {
  actor?: string | undefined
  action?: string | undefined
  thing?: AuditThing | undefined
  thing_id?: number | undefined
  outcome?: 'done' | 'refused' | undefined
  from?: string | undefined
  to?: string | undefined
}

export type AuditChoice = Omit<AuditFilter, 'page' | 'limit'>

/** The audit trail. A row is added in the transaction of its change, and never changed. */
export function auditStore(db: Db, clock: Clock) {
  const filtered = (filter: AuditChoice, holds = holdsText) => {
    let query = db.selectFrom('audit_event')
    if (filter.search) query = query.where(holds(db, 'audit_event', filter.search))
    if (filter.actor) query = query.where(isOneThatHolds(db, 'audit_event', 'actor', filter.actor))
    if (filter.action)
      query = query.where(isOneThatHolds(db, 'audit_event', 'action', filter.action))
    if (filter.thing) query = query.where('thing', '=', filter.thing)
    if (filter.thing_id) query = query.where('thing_id', '=', filter.thing_id)
    if (filter.outcome) query = query.where('outcome', '=', filter.outcome)
    if (filter.from) query = query.where('at', '>=', startOf(filter.from))
    if (filter.to) query = query.where('at', '<=', endOf(filter.to))
    return query
  }

  const looking = async (filter: AuditChoice) =>
    filter.search && !isSearchAlone(filter) ? beside(db, 'audit_event', filter.search) : holdsText

  const count = async (filter: AuditChoice, holds = looking(filter)): Promise<number> => {
    const hits = isSearchAlone(filter)
      ? await countHolders(db, 'audit_event', filter.search)
      : undefined
    if (hits !== undefined) return hits
    const { total } = await filtered(filter, await holds)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow()
    return total
  }

  return {
    count: (filter: AuditChoice) => count(filter),
    record: async (by: Actor | AnonymousActor, entry: AuditEntry): Promise<void> => {
      const user = 'caller' in by ? by.caller.user : by.user
      await db
        .insertInto('audit_event')
        .values({
          at: clock.now().toISOString(),
          actor_id: user?.id ?? null,
          actor: user?.name ?? '',
          address: by.address,
          request_id: by.requestId,
          action: entry.action,
          outcome: entry.outcome ?? 'done',
          thing: entry.thing,
          thing_id: entry.id ?? null,
          thing_name: entry.name.slice(0, 300),
          times: entry.times ?? 1,
          before: entry.before ? JSON.stringify(entry.before) : null,
          after: entry.after ? JSON.stringify(entry.after) : null,
        })
        .execute()
    },
    /** Newest first unless another column is asked for; ties by id. */
    list: async (filter: AuditFilter) => {
      const looks = looking(filter)
      const total = await count(filter, looks)
      const walk = walkTo(filter, total)
      if (!walk) return { rows: [], total }
      const column = (filter.sort ?? '-id').replace(/^-/, '') as 'id' | 'at' | 'actor' | 'action'
      const direction = directionOf((filter.sort ?? '-id').startsWith('-') ? 'desc' : 'asc', walk)
      const holds = areManyHits(total) ? holdsTextOften : await looks
      const page = await filtered(filter, holds)
        .select('id')
        .orderBy(column, direction)
        .$if(column !== 'id', (query) => query.orderBy('id', direction))
        .limit(walk.limit)
        .offset(walk.offset)
        .execute()
      const ids = page.map(({ id }) => id)
      const rows = await db.selectFrom('audit_event').selectAll().where('id', 'in', ids).execute()
      return { rows: inOrderOf(walk.isBackward ? ids.toReversed() : ids, rows), total }
    },
    /** Newest first, those older than `beforeId`; `total` says how many the filter finds in all. */
    listBefore: (filter: AuditChoice, total: number, beforeId: number | undefined, limit: number) =>
      filtered(filter, areManyHits(total) ? holdsTextOften : holdsText)
        .selectAll()
        .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? 0))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    find: (id: number) =>
      db.selectFrom('audit_event').selectAll().where('id', '=', id).executeTakeFirst(),
  }
}

const isDay = (moment: string) => moment.length === 10
const startOf = (moment: string) =>
  isDay(moment) ? `${moment}T00:00:00.000Z` : new Date(moment).toISOString()
const endOf = (moment: string) =>
  isDay(moment) ? `${moment}T23:59:59.999Z` : new Date(moment).toISOString()
