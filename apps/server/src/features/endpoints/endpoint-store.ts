import { effectOf, methods, wireMethods, type EndpointOptionQuery } from '@gatehouse/contract'
import { sql, type SqlBool } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { jsonText } from '../../db/dialect.ts'
import { contains, containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
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

const textColumns = ['status', 'description', 'path', 'method_type']

/** What is searched in a choice list. */
const optionColumns = [
  'endpoint.summary',
  'endpoint.description',
  'endpoint.method_type',
  'endpoint.path',
  'api.name',
]

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

export function endpointStore(db: Db) {
  const filtered = ({ search, status, method_type, api_id, tag }: EndpointFilter) => {
    let query = joined(db)
    if (search) {
      query = query.where(
        containsWords(search, [
          'endpoint.description',
          'endpoint.summary',
          'endpoint.path',
          'api.name',
        ]),
      )
    }
    if (status) query = query.where('endpoint.status', '=', status)
    if (method_type) query = query.where('endpoint.method_type', '=', method_type)
    if (api_id) query = query.where('endpoint.api_id', '=', api_id)
    if (tag) query = query.where(hasTag(db, 'endpoint', tag))
    return query
  }

  return {
    list: (filter: EndpointFilter) =>
      readPage(
        withApi(filtered(filter)).orderBy(listOrder(filter.sort, 'endpoint.id', textColumns)),
        filter,
      ),
    countTags: () => countTags(db, 'endpoint'),
    listAll: () => db.selectFrom('endpoint').selectAll().orderBy('id').execute(),
    findAll: async (ids: readonly number[]): Promise<EndpointWithApi[]> =>
      ids.length === 0 ? [] : (await findAll(db, { ids })).rows,
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
     * every endpoint (Super Admin).
     */
    listCallable: (
      roleIds: readonly number[] | undefined,
      { search, ids, effect, limit }: EndpointOptionQuery,
    ) =>
      withApi(joined(db))
        .$if(search !== '', (query) => query.where(containsWords(search, optionColumns)))
        .$if(ids !== undefined, (query) => query.where('endpoint.id', 'in', ids ?? []))
        .$if(effect === 'read', (query) => query.where(onlyReads(db)))
        .where('endpoint.status', '=', 'active')
        .where('api.gateway_status', '=', 'active')
        .$if(roleIds !== undefined, (query) =>
          query.where('endpoint.id', 'in', (select) =>
            select
              .selectFrom('role_endpoint')
              .select('endpoint_id')
              .where('role_id', 'in', [...roleIds!, 0]),
          ),
        )
        // Enter takes the first: the one with the whole text in its name.
        .$if(search !== '', (query) =>
          query.orderBy(sql`case when ${contains(search, ['endpoint.summary'])} then 0 else 1 end`),
        )
        .orderBy('endpoint.id')
        .limit(limit)
        .execute(),
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
