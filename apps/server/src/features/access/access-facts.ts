import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** What explains who may call what; a part of the access store. */
export function accessFacts(db: Db) {
  return {
    /** How many roles may call the endpoint. */
    countHolders: async (endpointId: number) => {
      const { count } = await db
        .selectFrom('role_endpoint')
        .select(sql<number>`count(*)`.as('count'))
        .where('endpoint_id', '=', endpointId)
        .executeTakeFirstOrThrow()
      return count
    },
    /** Every grant: which role holds which endpoint. */
    listGrants: () =>
      db
        .selectFrom('role_endpoint')
        .innerJoin('role', 'role.id', 'role_endpoint.role_id')
        .select(['role_endpoint.endpoint_id', 'role.id', 'role.name'])
        .orderBy('role.id')
        .orderBy('role_endpoint.endpoint_id')
        .execute(),
    /** All users with each of their roles. */
    listMemberships: () =>
      db
        .selectFrom('user')
        .leftJoin('user_role', 'user_role.user_id', 'user.id')
        .select(['user.id', 'user.name', 'user.email', 'user_role.role_id'])
        .select(
          sql<number>`case when "user".password_hash is null then 0 else 1 end`.as('can_sign_in'),
        )
        .orderBy('user.name')
        .orderBy('user.id')
        .execute(),
    findGuard: (endpointId: number) =>
      db
        .selectFrom('endpoint')
        .innerJoin('api', 'api.id', 'endpoint.api_id')
        .select(['endpoint.authentication', 'api.authentication as api_authentication'])
        .where('endpoint.id', '=', endpointId)
        .executeTakeFirst(),
  }
}
