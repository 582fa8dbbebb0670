import type { EndpointPage } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { inParts } from '../../kernel/in-parts.ts'

/** PostgreSQL takes at most 65,535 parameters a statement, two of them a row. */
const rowsAtOnce = 1000

export const endpointSummaries = (db: Db) =>
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
  endpointSummaries(db)
    .innerJoin('role_endpoint', 'role_endpoint.endpoint_id', 'endpoint.id')
    .where('role_endpoint.role_id', '=', roleId)

/** Which endpoints roles have access to; a part of the access store. */
export function endpointAccessStore(db: Db) {
  return {
    /** The first of these endpoints. */
    describeEndpoints: (ids: readonly number[], limit: number) =>
      endpointSummaries(db)
        .where('endpoint.id', 'in', [0, ...ids.slice(0, limit)])
        .execute(),
    /** Of the role; `among`: only those of these ids. */
    listEndpointsOf: (roleId: number, among?: readonly number[]) =>
      ofRole(db, roleId)
        .$if(among !== undefined, (query) => query.where('endpoint.id', 'in', [0, ...among!]))
        .execute(),
    /** Of a role, or all that there are; without a limit every one of them. */
    pageOfEndpoints: (roleId: number | undefined, { page, limit }: EndpointPage) =>
      (roleId === undefined ? endpointSummaries(db) : ofRole(db, roleId))
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
      for (const some of inParts(ids, rowsAtOnce)) {
        const rows = await db.selectFrom('endpoint').select('id').where('id', 'in', some).execute()
        for (const { id } of rows) unknown.delete(id)
      }
      return [...unknown]
    },
    addEndpoints: async (roleId: number, ids: readonly number[]): Promise<void> => {
      for (const some of inParts(ids, rowsAtOnce)) {
        const rows = some.map((endpoint_id) => ({ role_id: roleId, endpoint_id }))
        await db.insertInto('role_endpoint').values(rows).execute()
      }
    },
    removeEndpoints: async (roleId: number, ids: readonly number[]): Promise<void> => {
      for (const some of inParts(ids, rowsAtOnce))
        await db
          .deleteFrom('role_endpoint')
          .where('role_id', '=', roleId)
          .where('endpoint_id', 'in', some)
          .execute()
    },
  }
}
