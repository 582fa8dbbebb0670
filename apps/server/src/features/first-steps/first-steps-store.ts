import { gatewayClientId } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

const siblingsMax = 20

/** What there is of the way to the first call, and the port of the sample service. */
export function firstStepsStore(db: Db) {
  const activeEndpoints = () =>
    db
      .selectFrom('endpoint')
      .innerJoin('api', 'api.id', 'endpoint.api_id')
      .where('endpoint.status', '=', 'active')
      .where('api.gateway_status', '=', 'active')
  const answered = (table: 'traffic_minute' | 'traffic_hour') =>
    db
      .selectFrom(table as 'traffic_minute')
      .select('at')
      .where('endpoint_id', '>', 0)
      .whereRef('requests', '>', sql<number>`refused + errors`)
      .limit(1)
      .executeTakeFirst()

  return {
    newestApi: () =>
      db.selectFrom('api').select(['id', 'name']).orderBy('id', 'desc').limit(1).executeTakeFirst(),
    /** The one that is easiest to call: with GET, then without parameters, then the oldest. */
    easiestEndpoint: () =>
      activeEndpoints()
        .select(['endpoint.id', 'summary', 'method_type', 'path', 'endpoint.api_id', 'api.context'])
        .select(['endpoint.authentication', 'api.authentication as api_authentication'])
        .select('api.name as api_name')
        .orderBy(sql`case when method_type = 'get' then 0 else 1 end`)
        .orderBy(sql`case when path like '%{%' then 1 else 0 end`)
        .orderBy('endpoint.id')
        .limit(1)
        .executeTakeFirst(),
    activeOf: async (apiId: number) => {
      const query = activeEndpoints().select('endpoint.id').where('api.id', '=', apiId)
      const rows = await query.orderBy('endpoint.id').limit(siblingsMax).execute()
      return rows.map(({ id }) => id)
    },
    rolesThatCall: (endpointId: number) =>
      db
        .selectFrom('role_endpoint')
        .innerJoin('role', 'role.id', 'role_endpoint.role_id')
        .select(['role.id', 'role.name'])
        .where('endpoint_id', '=', endpointId)
        .orderBy('role.name')
        .execute(),
    clientRole: () =>
      db
        .selectFrom('user_role')
        .innerJoin('role', 'role.id', 'user_role.role_id')
        .select(['role.id', 'role.name'])
        .where('user_id', '=', gatewayClientId)
        .orderBy('role.id')
        .executeTakeFirst(),
    hasToken: async (now: string) =>
      (await db
        .selectFrom('personal_token')
        .select('id')
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .limit(1)
        .executeTakeFirst()) !== undefined,
    hasAnswered: async () =>
      (await answered('traffic_minute')) !== undefined ||
      (await answered('traffic_hour')) !== undefined,
    hasRuns: async () =>
      (await db.selectFrom('run').select('id').limit(1).executeTakeFirst()) !== undefined,
    /** Undefined: the sample service is not in use. */
    samplePort: async () =>
      (await db.selectFrom('sample_service').select('port').executeTakeFirst())?.port,
    setSamplePort: async (port: number) => {
      await db.deleteFrom('sample_service').execute()
      await db.insertInto('sample_service').values({ id: 1, port }).execute()
    },
    removeSample: async (port: number) => {
      await db.deleteFrom('sample_service').where('port', '=', port).execute()
    },
    findApiAt: (url: string) =>
      db.selectFrom('api').select(['id', 'name']).where('api_url', '=', url).executeTakeFirst(),
  }
}
