import type { AuditThing } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { contains, type ListQuery } from '../../db/listing.ts'
import type { Row } from '../../db/tables.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'

export type AuditStore = ReturnType<typeof auditStore>
export type AuditRow = Row<'audit_event'>

/** What happened to what. `before` and `after` hold no secrets: presenters made them. */
export interface AuditEntry {
  action: string
  thing: AuditThing
  id?: number | null
  name: string
  outcome?: 'done' | 'refused'
  before?: object | undefined
  after?: object | undefined
}

/** Somebody who is not signed in: a sign-in that failed, or is about to succeed. */
export interface Stranger {
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

/** The trail: rows are added, in the transaction of the change they tell of, and never touched again. */
export function auditStore(db: Db, clock: Clock) {
  const filtered = (filter: AuditFilter) => {
    let query = db.selectFrom('audit_event')
    if (filter.search)
      query = query.where(
        contains(filter.search, ['actor', 'action', 'thing_name', 'request_id', 'address']),
      )
    if (filter.actor) query = query.where(contains(filter.actor, ['actor']))
    if (filter.action) query = query.where(contains(filter.action, ['action']))
    if (filter.thing) query = query.where('thing', '=', filter.thing)
    if (filter.thing_id) query = query.where('thing_id', '=', filter.thing_id)
    if (filter.outcome) query = query.where('outcome', '=', filter.outcome)
    if (filter.from) query = query.where('at', '>=', startOf(filter.from))
    if (filter.to) query = query.where('at', '<=', endOf(filter.to))
    return query
  }

  return {
    record: (by: Actor | Stranger, entry: AuditEntry) => {
      const user = 'caller' in by ? by.caller.user : by.user
      return db
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
          before: entry.before ? JSON.stringify(entry.before) : null,
          after: entry.after ? JSON.stringify(entry.after) : null,
        })
        .execute()
    },
    /** Newest first unless another column is asked for; ties by id. */
    list: async (filter: AuditFilter) => {
      const column = (filter.sort ?? '-id').replace(/^-/, '') as 'id' | 'at' | 'actor' | 'action'
      const direction = (filter.sort ?? '-id').startsWith('-') ? 'desc' : 'asc'
      const rows = await filtered(filter)
        .selectAll()
        .orderBy(column, direction)
        .orderBy('id', direction)
        .limit(filter.limit)
        .offset((filter.page - 1) * filter.limit)
        .execute()
      const { total } = await filtered(filter)
        .select(sql<number>`count(*)`.as('total'))
        .executeTakeFirstOrThrow()
      return { rows, total }
    },
    find: (id: number) =>
      db.selectFrom('audit_event').selectAll().where('id', '=', id).executeTakeFirst(),
  }
}

const isDay = (moment: string) => moment.length === 10
const startOf = (moment: string) =>
  isDay(moment) ? `${moment}T00:00:00.000Z` : new Date(moment).toISOString()
const endOf = (moment: string) =>
  isDay(moment) ? `${moment}T23:59:59.999Z` : new Date(moment).toISOString()
