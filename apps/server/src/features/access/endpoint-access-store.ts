import type { EndpointPage } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { choiceWithMethods } from '../../db/search/endpoint-choice.ts'
import { findPage } from '../../db/search/endpoint-search.ts'
import { containsWords, type ListQuery } from '../../db/listing.ts'

/** PostgreSQL takes at most 65,535 parameters a statement, two of them a row. */
const rowsAtOnce = 1000
/** How many APIs are offered whose name a search finds. */
const apisMax = 20

const summaries = (db: Db) =>
  db
    .selectFrom('endpoint')
    .innerJoin('api', 'api.id', 'endpoint.api_id')
    .select([
      'endpoint.id',
      'endpoint.summary',
      'endpoint.description',
      'endpoint.method_type',
      'endpoint.path',
      'endpoint.api_id',
      'api.name as api',
    ])
    .orderBy('endpoint.id')

const ofRole = (db: Db, roleId: number) =>
  summaries(db)
    .innerJoin('role_endpoint', 'role_endpoint.endpoint_id', 'endpoint.id')
    .where('role_endpoint.role_id', '=', roleId)

/** Which endpoints roles have access to; a part of the access store. */
export function endpointAccessStore(db: Db) {
  return {
    /** The first of these endpoints. */
    describeEndpoints: (ids: readonly number[], limit: number) =>
      summaries(db)
        .where('endpoint.id', 'in', [0, ...ids.slice(0, limit)])
        .execute(),
    /** Of the role; `among`: only those of these ids. */
    listEndpointsOf: (roleId: number, among?: readonly number[]) =>
      ofRole(db, roleId)
        .$if(among !== undefined, (query) => query.where('endpoint.id', 'in', [0, ...among!]))
        .execute(),
    /** Of a role, or all that there are; without a limit every one of them. */
    pageOfEndpoints: (roleId: number | undefined, { page, limit }: EndpointPage) =>
      (roleId === undefined ? summaries(db) : ofRole(db, roleId))
        .$if(limit !== undefined, (query) => query.limit(limit!).offset((page - 1) * limit!))
        .execute(),
    countEndpoints: async (): Promise<number> => {
      const { count } = await db
        .selectFrom('endpoint')
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
    listEndpointIdsOf: async (roleId: number): Promise<number[]> => {
      const rows = await db
        .selectFrom('role_endpoint')
        .select('endpoint_id')
        .where('role_id', '=', roleId)
        .orderBy('endpoint_id')
        .execute()
      return rows.map(({ endpoint_id }) => endpoint_id)
    },
    countEndpointsOf: async (roleId: number): Promise<number> => {
      const { count } = await db
        .selectFrom('role_endpoint')
        .select(sql<number>`count(*)`.as('count'))
        .where('role_id', '=', roleId)
        .executeTakeFirstOrThrow()
      return count
    },
    listIdsOfApis: async (apiIds: readonly number[]): Promise<number[]> => {
      const rows = await db
        .selectFrom('endpoint')
        .select('id')
        .where('api_id', 'in', [0, ...apiIds])
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },
    /** Those of the ids that no endpoint has. */
    listUnknown: async (ids: readonly number[]): Promise<number[]> => {
      const unknown = new Set(ids)
      for (const some of inParts(ids)) {
        const rows = await db.selectFrom('endpoint').select('id').where('id', 'in', some).execute()
        for (const { id } of rows) unknown.delete(id)
      }
      return [...unknown]
    },
    addEndpoints: async (roleId: number, ids: readonly number[]): Promise<void> => {
      for (const some of inParts(ids)) {
        const rows = some.map((endpoint_id) => ({ role_id: roleId, endpoint_id }))
        await db.insertInto('role_endpoint').values(rows).execute()
      }
    },
    removeEndpoints: async (roleId: number, ids: readonly number[]): Promise<void> => {
      for (const some of inParts(ids))
        await db
          .deleteFrom('role_endpoint')
          .where('role_id', '=', roleId)
          .where('endpoint_id', 'in', some)
          .execute()
    },
    listChoices: (roleId: number, query: ListQuery) => listChoices(db, roleId, query),
  }
}

function* inParts(ids: readonly number[]): Generator<number[]> {
  for (let at = 0; at < ids.length; at += rowsAtOnce) yield ids.slice(at, at + rowsAtOnce)
}

const isHeld = (roleId: number) =>
  sql<number>`exists (select 1 from role_endpoint
    where role_endpoint.endpoint_id = endpoint.id and role_endpoint.role_id = ${roleId})`

/** A page of endpoints with whether the role has access to each, and the APIs to choose as a whole. */
async function listChoices(db: Db, roleId: number, query: ListQuery) {
  const choice = choiceWithMethods(db, query.search)
  const { ids, total } = await findPage(db, choice, { sort: undefined, ...query })
  const endpoints = await summaries(db)
    .where('endpoint.id', 'in', [0, ...ids])
    .select(isHeld(roleId).as('is_held'))
    .execute()
  return { endpoints, total, apis: await listApis(db, roleId, query.search, endpoints) }
}

async function listApis(
  db: Db,
  roleId: number,
  search: string,
  shown: readonly { api_id: number }[],
) {
  const named = await db
    .selectFrom('api')
    .select('id')
    .$if(search !== '', (query) => query.where(containsWords(search, ['api.name'])))
    .where(sql<boolean>`exists (select 1 from endpoint where endpoint.api_id = api.id)`)
    .orderBy('id')
    .limit(apisMax)
    .execute()
  const ids = new Set([...named.map(({ id }) => id), ...shown.map(({ api_id }) => api_id)])
  return db
    .selectFrom('api')
    .select([
      'api.id',
      'api.name',
      sql<number>`(select count(*) from endpoint where endpoint.api_id = api.id)`.as(
        'endpoints_count',
      ),
      sql<number>`(select count(*) from role_endpoint
        join endpoint on endpoint.id = role_endpoint.endpoint_id
        where role_endpoint.role_id = ${roleId} and endpoint.api_id = api.id)`.as('held_count'),
    ])
    .where('api.id', 'in', [0, ...ids])
    .orderBy('api.id')
    .execute()
}
