import { effectOf, methods, wireMethods, type EndpointOptionQuery } from '@gatehouse/contract'
import { sql, type SqlBool } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { idList, isAmong, jsonText, lockUntilCommit } from '../../db/dialect.ts'
import {
  choiceWithMethods,
  isNamed,
  wordsOf,
  type Condition,
  type EndpointChoice,
} from '../../db/search/endpoint-choice.ts'
import { findFirst, findPage } from '../../db/search/endpoint-search.ts'
import { inOrderOf, type ListQuery } from '../../db/listing.ts'
import { statement } from '../../db/statement.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { countTags, hasTag } from '../../db/tags.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

export type EndpointStore = ReturnType<typeof endpointStore>
export type EndpointRow = Row<'endpoint'>
export type EndpointWithApi = EndpointRow & { api_name: string; api_context: string }

export interface EndpointFilter extends ListQuery {
  status?: EndpointRow['status'] | undefined
  method_type?: EndpointRow['method_type'] | undefined
  api_id?: number | undefined
  tag?: string | undefined
}

/** Any number that no other lock has. */
const toolNameLock = 48_214

/** Methods whose effect is to read, where the run settings name none. */
const readingMethods = methods.filter(
  (method) => effectOf({ effect: '' }, wireMethods[method]) === 'read',
)

function onlyReads(db: Db) {
  const effect = sql`coalesce(${jsonText(db, 'row.run_settings', 'effect')}, '')`
  const reads = sql`row.method_type in (${sql.join(readingMethods)})`
  return sql<SqlBool>`exists (select 1 from endpoint as row
    where row.id = endpoint.id and (${effect} = 'read' or (${effect} = '' and ${reads})))`
}

const joined = (db: Db) => db.selectFrom('endpoint').innerJoin('api', 'api.id', 'endpoint.api_id')

const withApi = (query: ReturnType<typeof joined>) =>
  query.selectAll('endpoint').select(['api.name as api_name', 'api.context as api_context'])

const findAll = statement((db, { ids }: { ids: string }) =>
  withApi(joined(db)).where(isAmong(db, 'endpoint.id', ids)),
)

function filtersOf(
  db: Db,
  { status, method_type, api_id, tag }: Omit<EndpointFilter, keyof ListQuery>,
) {
  const filters: Condition[] = []
  if (status) filters.push(sql`endpoint.status = ${status}`)
  if (method_type) filters.push(sql`endpoint.method_type = ${method_type}`)
  if (api_id) filters.push(sql`endpoint.api_id = ${api_id}`)
  if (tag) filters.push(hasTag(db, 'endpoint', tag))
  return filters
}

interface CallableQuery extends EndpointOptionQuery {
  /** Those alone that agents may find. */
  onlyTools?: boolean
}

function callable(
  db: Db,
  roleIds: readonly number[] | undefined,
  { search, ids, effect, onlyTools = false }: CallableQuery,
): EndpointChoice {
  const { words, filters } = choiceWithMethods(db, search)
  const others: Condition[] = [
    sql`endpoint.status = 'active'`,
    sql`endpoint.api_id not in (select id from api where gateway_status <> 'active')`,
  ]
  if (ids) others.push(isAmong(db, 'endpoint.id', idList(db, ids)))
  if (effect === 'read') others.push(onlyReads(db))
  if (onlyTools) others.push(isNamedTool)
  if (roleIds) others.push(isAccessible(roleIds))
  return { words, filters: [...others, ...filters] }
}

/** It has become a tool of agents; `isOffered` says whether it still is one. */
const isNamedTool = sql<SqlBool>`endpoint.id in (select tool.id from endpoint as tool where tool.tool_name is not null)
  and endpoint.api_id in (select id from api where offer_to_agents = 1)`

const isAccessible = (roleIds: readonly number[]) =>
  sql<SqlBool>`exists (select 1 from role_endpoint
    where endpoint_id = endpoint.id and role_id in (${sql.join([...roleIds, 0])}))`

export function endpointStore(db: Db) {
  const all = async (ids: readonly number[]): Promise<EndpointWithApi[]> =>
    ids.length === 0 ? [] : (await findAll(db, { ids: idList(db, ids) })).rows

  return {
    list: async (filter: EndpointFilter) => {
      const choice = { words: wordsOf(filter.search), filters: filtersOf(db, filter) }
      const { ids, total } = await findPage(db, choice, { ...filter, sort: filter.sort })
      return { rows: inOrderOf(ids, await all(ids)), total }
    },
    /** The first of those that a filter finds, by their ids. */
    listIdsAfter: (
      { search, ...filter }: Omit<EndpointFilter, 'page' | 'limit' | 'sort'>,
      after: number,
      limit: number,
    ) => {
      const filters = [...filtersOf(db, filter), sql<SqlBool>`endpoint.id > ${after}`]
      return findFirst(db, { words: wordsOf(search), filters }, limit)
    },
    countTags: () => countTags(db, 'endpoint'),
    listAll: () => db.selectFrom('endpoint').selectAll().orderBy('id').execute(),
    findAll: all,
    /** Those of these endpoints that one of the roles has access to. */
    listAccessible: async (ids: readonly number[], roleIds: readonly number[]) => {
      if (roleIds.length === 0 || ids.length === 0) return []
      const rows = await db
        .selectFrom('role_endpoint')
        .select('endpoint_id')
        .distinct()
        .where('role_id', 'in', roleIds)
        .where('endpoint_id', 'in', ids)
        .execute()
      return rows.map(({ endpoint_id }) => endpoint_id)
    },
    /** The first endpoints of each of these APIs, at most `limit` of each, in one statement. */
    listOfApis: async (apiIds: readonly number[], limit: number): Promise<EndpointRow[]> => {
      if (apiIds.length === 0) return []
      const rows = await db
        .selectFrom((from) =>
          from
            .selectFrom('endpoint')
            .selectAll()
            .select(
              sql<number>`row_number() over (partition by api_id order by id)`.as('place_in_api'),
            )
            .where('api_id', 'in', apiIds)
            .as('placed'),
        )
        .selectAll()
        .where('place_in_api', '<=', limit)
        .orderBy('id')
        .execute()
      return rows.map(({ place_in_api: _, ...row }) => row)
    },
    /**
     * Active endpoints of active APIs that one of the roles has access to; `roleIds` undefined means
     * every endpoint (Super Admin). Those with the whole text in their name come first: Enter takes the first.
     */
    listCallable: async (
      roleIds: readonly number[] | undefined,
      query: CallableQuery,
    ): Promise<EndpointWithApi[]> => {
      const { search, limit } = query
      const choice = callable(db, roleIds, query)
      const findMore = (filters: Condition[], most: number) =>
        findFirst(db, { ...choice, filters: [...choice.filters, ...filters] }, most)
      const named = isNamed(db, search)
      const ids = await findMore(search === '' ? [] : [named], limit)
      if (search !== '' && ids.length < limit)
        ids.push(...(await findMore([sql`not ${named}`], limit - ids.length)))
      return inOrderOf(ids, await all(ids))
    },
    find: (id: number) => withApi(joined(db)).where('endpoint.id', '=', id).executeTakeFirst(),
    hasAccess: async (id: number, roleIds: readonly number[]) =>
      (await db
        .selectFrom('role_endpoint')
        .select('role_id')
        .where('endpoint_id', '=', id)
        .where('role_id', 'in', [...roleIds, 0])
        .limit(1)
        .executeTakeFirst()) !== undefined,
    findByRoute: (apiId: number, method: EndpointRow['method_type'], pathKey: string) =>
      db
        .selectFrom('endpoint')
        .selectAll()
        .where('api_id', '=', apiId)
        .where('method_type', '=', method)
        .where('path_key', '=', pathKey)
        .executeTakeFirst(),
    /** The other endpoints whose status query calls this one. */
    listAskers: (id: number) =>
      db
        .selectFrom('endpoint')
        .select(['id', 'summary'])
        .where('status_endpoint_id', '=', id)
        .where('id', '<>', id)
        .orderBy('id')
        .limit(5)
        .execute(),
    findByToolName: (name: string) =>
      db.selectFrom('endpoint').select('id').where('tool_name', '=', name).executeTakeFirst(),
    listWithoutToolName: (apiId: number) =>
      db
        .selectFrom('endpoint')
        .selectAll()
        .where('api_id', '=', apiId)
        .where('tool_name', 'is', null)
        .orderBy('id')
        .execute(),
    /** The tool names that begin like this. Those that are given wait until this transaction has ended. */
    listToolNames: async (prefix: string) => {
      await lockUntilCommit(db, toolNameLock)
      const rows = await db
        .selectFrom('endpoint')
        .select('tool_name')
        .where(sql<string>`substr(tool_name, 1, ${prefix.length})`, '=', prefix)
        .execute()
      return rows.flatMap(({ tool_name }) => tool_name ?? [])
    },
    /** No change of what a user has entered: its version stays. */
    giveToolName: (id: number, name: string) =>
      db.updateTable('endpoint').set({ tool_name: name }).where('id', '=', id).execute(),
    insert: (endpoint: NewRow<'endpoint'>) =>
      db.insertInto('endpoint').values(endpoint).returning('id').executeTakeFirstOrThrow(),
    update: (id: number, version: number, change: RowChange<'endpoint'>) =>
      updateIfUnchanged(db, 'endpoint', id, version, change),
    remove: (id: number) => db.deleteFrom('endpoint').where('id', '=', id).execute(),
  }
}
