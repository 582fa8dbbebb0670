import type { AuditAction, AuditThing } from '@gatehouse/contract'
import { sql, type Expression, type SqlBool } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { withoutIndex } from '../../db/dialect.ts'
import { inOrderOf, type ListQuery } from '../../db/listing.ts'
import { orderOf, readLongList, type LongListing } from '../../db/long-list.ts'
import { findHits, indexedIfFew } from '../../db/search/search.ts'
import { valuesThatHold } from '../../db/search/values-that-hold.ts'
import type { Row } from '../../db/tables.ts'
import { isOfApi } from './of-api.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'

export type AuditStore = ReturnType<typeof auditStore>
export type AuditRow = Row<'audit_event'>

/** An event to record. `before` and `after` hold no secrets, because presenters make them. */
export interface AuditEntry {
  action: AuditAction
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
  /** What is shown where no user acted, such as the command line. */
  name?: string
}

export interface AuditFilter extends ListQuery {
  actor?: string | undefined
  action?: string | undefined
  thing?: AuditThing | undefined
  thing_id?: number | undefined
  outcome?: 'done' | 'refused' | undefined
  from?: string | undefined
  to?: string | undefined
  /** Events of this API and of its endpoints. */
  api_id?: number | undefined
}

export type AuditChoice = Omit<AuditFilter, 'page' | 'limit'>

/** Called for each event that is recorded. */
export type OnRecord = (by: Actor | AnonymousActor, entry: AuditEntry) => void

const table = 'audit_event'

/** Names the token too where a program acts for a user. */
function nameOf(by: Actor | AnonymousActor): string {
  if (!('caller' in by)) return by.user?.name ?? by.name ?? ''
  const { user, adminToken } = by.caller
  return adminToken ? `${user.name} (token ${adminToken.name})` : user.name
}

/** The audit trail. A row is added in the transaction of its change, and never changed. */
export function auditStore(db: Db, clock: Clock, onRecord: OnRecord = () => {}) {
  /** Each index ends with time and id. A filter that finds much gets none where there is a better one. */
  const filtersOf = async (choice: AuditChoice): Promise<Expression<SqlBool>[]> => {
    const filters: Expression<SqlBool>[] = []
    const { actor, action, thing, thing_id, outcome, from, to } = choice
    if (actor) filters.push(await isOneWith('actor', actor))
    if (action) filters.push(await isOneWith('action', action))
    if (thing_id) filters.push(sql`audit_event.thing_id = ${thing_id}`)
    if (choice.api_id) filters.push(isOfApi(db, choice.api_id))
    const isNarrow = (actor ?? action) !== undefined
    const isRare = outcome === 'refused' && !isNarrow
    const columnOf = (name: string, isIndexed: boolean) =>
      isIndexed ? sql.ref(`audit_event.${name}`) : withoutIndex(db, `audit_event.${name}`)
    if (thing) filters.push(sql`${columnOf('thing', !isNarrow && !isRare)} = ${thing}`)
    if (outcome) filters.push(sql`${columnOf('outcome', isRare)} = ${outcome}`)
    if (from) filters.push(sql`audit_event.at >= ${startOf(from)}`)
    if (to) filters.push(sql`audit_event.at <= ${endOf(to)}`)
    return filters
  }

  /** The column holds one of its values that contain the text. */
  const isOneWith = async (column: 'actor' | 'action', text: string) => {
    const values = await valuesThatHold(db, table, column, text)
    if (values.length === 0) return sql<SqlBool>`1 = 0`
    if (values.length === 1) return sql<SqlBool>`${sql.ref(`audit_event.${column}`)} = ${values[0]}`
    return indexedIfFew(db, table, column, (name) => sql`${name} in (${sql.join(values)})`)
  }

  const listByIds = async (ids: readonly number[]) => {
    if (ids.length === 0) return []
    const rows = await db.selectFrom('audit_event').selectAll().where('id', 'in', ids).execute()
    return inOrderOf(ids, rows)
  }

  return {
    record: async (by: Actor | AnonymousActor, entry: AuditEntry): Promise<void> => {
      const user = 'caller' in by ? by.caller.user : by.user
      await db
        .insertInto('audit_event')
        .values({
          at: clock.now().toISOString(),
          actor_id: user?.id ?? null,
          actor: nameOf(by),
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
      onRecord(by, entry)
    },
    /** Newest first unless another column is asked for; ties by time and id. */
    list: async (filter: AuditFilter): Promise<LongListing<AuditRow>> => {
      const { sort = '-at', search, page, limit } = filter
      const filters = await filtersOf(filter)
      const order = orderOf(sort, ['actor', 'action'], 'at')
      const list = { table, search, filters, age: 'at', page, limit, order } as const
      const found = await readLongList(db, list)
      return { ...found, rows: await listByIds(found.rows) }
    },
    /** The ids of the newest events, older than `beforeId`, newest first. */
    listIds: async (choice: AuditChoice, beforeId: number | undefined, limit: number) => {
      const filters = await filtersOf(choice)
      if (beforeId !== undefined) filters.push(sql`audit_event.id < ${beforeId}`)
      return (await findHits(db, { table, search: choice.search, filters }, limit)).ids
    },
    listByIds,
    find: (id: number) =>
      db.selectFrom('audit_event').selectAll().where('id', '=', id).executeTakeFirst(),
  }
}

const isDay = (moment: string) => moment.length === 10
const startOf = (moment: string) =>
  isDay(moment) ? `${moment}T00:00:00.000Z` : new Date(moment).toISOString()
const endOf = (moment: string) =>
  isDay(moment) ? `${moment}T23:59:59.999Z` : new Date(moment).toISOString()
