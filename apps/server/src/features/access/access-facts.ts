import { superAdminRole, type Permission } from '@gatehouse/contract'
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
    /** Which role holds which endpoint: every grant, or those of these roles. */
    listGrants: (roleIds?: readonly number[]) =>
      db
        .selectFrom('role_endpoint')
        .innerJoin('role', 'role.id', 'role_endpoint.role_id')
        .select(['role_endpoint.endpoint_id', 'role.id', 'role.name'])
        .$if(roleIds !== undefined, (query) => query.where('role.id', 'in', [...roleIds!, 0]))
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
    /** Names of users who can sign in and hold the permission, up to so many. */
    namesOfHolders: async (permission: Permission, limit: number) => {
      const rows = await db
        .selectFrom('user')
        .select(['id', 'name'])
        .where('password_hash', 'is not', null)
        .where('id', 'in', (select) =>
          select
            .selectFrom('user_role')
            .innerJoin('role', 'role.id', 'user_role.role_id')
            .leftJoin('role_permission', 'role_permission.role_id', 'role.id')
            .leftJoin('permission', 'permission.id', 'role_permission.permission_id')
            .select('user_role.user_id')
            .where((where) =>
              where.or([
                where('role.name', '=', superAdminRole),
                where('permission.name', '=', permission),
              ]),
            ),
        )
        .orderBy('name')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ name }) => name)
    },
    /** The roles of the user whom a personal token belongs to. */
    rolesOfToken: (tokenId: number) =>
      db
        .selectFrom('personal_token')
        .innerJoin('user_role', 'user_role.user_id', 'personal_token.user_id')
        .innerJoin('role', 'role.id', 'user_role.role_id')
        .select(['role.id', 'role.name'])
        .where('personal_token.id', '=', tokenId)
        .orderBy('role.name')
        .execute(),
    findGuard: (endpointId: number) =>
      db
        .selectFrom('endpoint')
        .innerJoin('api', 'api.id', 'endpoint.api_id')
        .select([
          'endpoint.method_type',
          'endpoint.authentication',
          'api.authentication as api_authentication',
        ])
        .where('endpoint.id', '=', endpointId)
        .executeTakeFirst(),
  }
}
