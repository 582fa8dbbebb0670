import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { choiceWithMethods } from '../../db/search/endpoint-choice.ts'
import { countByApi, findPage } from '../../db/search/endpoint-search.ts'
import { containsWords, type ListQuery } from '../../db/listing.ts'
import { endpointSummaries } from './endpoint-access-store.ts'

/** How many APIs are offered whose name a search finds. */
const apisMax = 20

export type ChoiceQuery = ListQuery & { api_id?: number | undefined }

/** What a role may be given access to, and what of it the role has; a part of the access store. */
export function accessChoicesStore(db: Db) {
  return {
    /** A page of endpoints with whether the role has access to each, and the APIs to choose as a whole. */
    listChoices: async (roleId: number, query: ChoiceQuery) => {
      const choice = choiceWithMethods(db, query.search)
      const ofApi =
        query.api_id === undefined ? [] : [sql<boolean>`endpoint.api_id = ${query.api_id}`]
      const filters = [...choice.filters, ...ofApi]
      const { ids, total } = await findPage(
        db,
        { ...choice, filters },
        { sort: undefined, ...query },
      )
      const endpoints = await endpointSummaries(db)
        .where('endpoint.id', 'in', [0, ...ids])
        .select(isHeld(roleId).as('is_held'))
        .execute()
      const named = query.api_id === undefined ? await findApis(db, query.search) : []
      const apiIds = [...new Set([...named, ...endpoints.map(({ api_id }) => api_id)])]
      const apis = await countedApis(db, roleId)
        .where('api.id', 'in', [0, ...apiIds])
        .orderBy('api.id')
        .execute()
      return { endpoints, total, apis }
    },
    /** Every API with endpoints, by name; with a search, those in which it finds some. */
    listApis: async (roleId: number, search: string) => {
      const apis = await apisWithEndpoints(db, roleId)
      if (search === '') return apis.map((api) => ({ ...api, found_count: api.endpoints_count }))
      const found = await countByApi(db, choiceWithMethods(db, search))
      return apis
        .map((api) => ({ ...api, found_count: found.get(api.id) ?? 0 }))
        .filter((api) => api.found_count > 0)
    },
  }
}

const isHeld = (roleId: number) =>
  sql<number>`exists (select 1 from role_endpoint
    where role_endpoint.endpoint_id = endpoint.id and role_endpoint.role_id = ${roleId})`

/** Counted in one pass: a role may have access to all of 20,000 endpoints. */
const apisWithEndpoints = (db: Db, roleId: number) =>
  db
    .selectFrom('endpoint')
    .innerJoin('api', 'api.id', 'endpoint.api_id')
    .leftJoin('role_endpoint', (join) =>
      join
        .onRef('role_endpoint.endpoint_id', '=', 'endpoint.id')
        .on('role_endpoint.role_id', '=', roleId),
    )
    .select([
      'api.id',
      'api.name',
      sql<number>`count(*)`.as('endpoints_count'),
      sql<number>`count(role_endpoint.endpoint_id)`.as('held_count'),
    ])
    .groupBy(['api.id', 'api.name'])
    .orderBy(sql`lower(api.name)`)
    .orderBy('api.id')
    .execute()

async function findApis(db: Db, search: string): Promise<number[]> {
  const named = await db
    .selectFrom('api')
    .select('id')
    .$if(search !== '', (query) => query.where(containsWords(search, ['api.name'])))
    .where(sql<boolean>`exists (select 1 from endpoint where endpoint.api_id = api.id)`)
    .orderBy('id')
    .limit(apisMax)
    .execute()
  return named.map(({ id }) => id)
}

const countedApis = (db: Db, roleId: number) =>
  db.selectFrom('api').select([
    'api.id',
    'api.name',
    sql<number>`(select count(*) from endpoint where endpoint.api_id = api.id)`.as(
      'endpoints_count',
    ),
    sql<number>`(select count(*) from role_endpoint
        join endpoint on endpoint.id = role_endpoint.endpoint_id
        where role_endpoint.role_id = ${roleId} and endpoint.api_id = api.id)`.as('held_count'),
  ])
