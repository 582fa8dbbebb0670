import { effectOf, methods, wireMethods, type EndpointOptionQuery } from '@gatehouse/contract'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { jsonText } from '../../db/dialect.ts'
import { choiceWithMethods, findPage, holdsWords, wordsOf } from '../../db/endpoint-search.ts'
import { contains, inOrderOf, type ListQuery } from '../../db/listing.ts'
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

/** Methods whose effect is to read, where the run settings name none. */
const readingMethods = methods.filter(
  (method) => effectOf({ effect: '' }, wireMethods[method]) === 'read',
)

function onlyReads(db: Db) {
  const effect = sql`coalesce(${jsonText(db, 'endpoint.run_settings', 'effect')}, '')`
  const reads = sql`endpoint.method_type in (${sql.join(readingMethods)})`
  return sql<SqlBool>`(${effect} = 'read' or (${effect} = '' and ${reads}))`
}

const joined = (db: Db) => db.selectFrom('endpoint').innerJoin('api', 'api.id', 'endpoint.api_id')

const withApi = (query: ReturnType<typeof joined>) =>
  query.selectAll('endpoint').select(['api.name as api_name', 'api.context as api_context'])

const findAll = statement((db, { ids }: { ids: readonly number[] }) =>
  withApi(joined(db)).where('endpoint.id', 'in', ids),
)

function filtersOf(db: Db, { status, method_type, api_id, tag }: EndpointFilter) {
  const filters: RawBuilder<SqlBool>[] = []
  if (status) filters.push(sql`endpoint.status = ${status}`)
  if (method_type) filters.push(sql`endpoint.method_type = ${method_type}`)
  if (api_id) filters.push(sql`endpoint.api_id = ${api_id}`)
  if (tag) filters.push(hasTag(db, 'endpoint', tag))
  return filters
}

function callable(
  db: Db,
  roleIds: readonly number[] | undefined,
  { search, ids, effect }: EndpointOptionQuery,
) {
  let query = joined(db)
    .where('endpoint.status', '=', 'active')
    .where('api.gateway_status', '=', 'active')
  if (ids) query = query.where('endpoint.id', 'in', ids)
  if (effect === 'read') query = query.where(onlyReads(db))
  if (roleIds) query = query.where(isAccessible(roleIds))
  const { words, filters } = choiceWithMethods(db, search)
  if (words.length > 0) query = query.where(holdsWords(db, words))
  for (const filter of filters) query = query.where(filter)
  return query
}

const isAccessible = (roleIds: readonly number[]) =>
  sql<SqlBool>`exists (select 1 from role_endpoint
    where endpoint_id = endpoint.id and role_id in (${sql.join([...roleIds, 0])}))`

export function endpointStore(db: Db) {
  const all = async (ids: readonly number[]): Promise<EndpointWithApi[]> =>
    ids.length === 0 ? [] : (await findAll(db, { ids })).rows

  return {
    list: async (filter: EndpointFilter) => {
      const choice = { words: wordsOf(filter.search), filters: filtersOf(db, filter) }
      const { ids, total } = await findPage(db, choice, { ...filter, sort: filter.sort })
      return { rows: inOrderOf(ids, await all(ids)), total }
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
      query: EndpointOptionQuery,
    ): Promise<EndpointWithApi[]> => {
      const { search, limit } = query
      // Ids alone: a plan that sorts what it finds sorts no texts.
      const found = callable(db, roleIds, query).select('endpoint.id').orderBy('endpoint.id')
      const isNamed = contains(search, ['endpoint.summary'])
      const rows = await found
        .$if(search !== '', (each) => each.where(isNamed))
        .limit(limit)
        .execute()
      if (search !== '' && rows.length < limit) {
        const others = found.where(sql<SqlBool>`not ${isNamed}`).limit(limit - rows.length)
        rows.push(...(await others.execute()))
      }
      const ids = rows.map(({ id }) => id)
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
    insert: (endpoint: NewRow<'endpoint'>) =>
      db.insertInto('endpoint').values(endpoint).returning('id').executeTakeFirstOrThrow(),
    update: (id: number, version: number, change: RowChange<'endpoint'>) =>
      updateIfUnchanged(db, 'endpoint', id, version, change),
    remove: (id: number) => db.deleteFrom('endpoint').where('id', '=', id).execute(),
  }
}
