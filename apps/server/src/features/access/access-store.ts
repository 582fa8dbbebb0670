import { superAdminRole } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { contains, type ListQuery } from '../../db/listing.ts'
import { can, type Caller, type Reach } from '../../kernel/caller.ts'

const sortColumns = {
  id: 'role.id',
  name: 'user.name',
  email: 'user.email',
  role: 'role.name',
} as const

export function accessStore(db: Db) {
  const filtered = ({ search }: ListQuery) => {
    const query = db
      .selectFrom('user_role')
      .innerJoin('user', 'user.id', 'user_role.user_id')
      .innerJoin('role', 'role.id', 'user_role.role_id')
    return search ? query.where(contains(search, ['user.name', 'user.email', 'role.name'])) : query
  }

  const endpoints = () =>
    db
      .selectFrom('endpoint')
      .innerJoin('api', 'api.id', 'endpoint.api_id')
      .select([
        'endpoint.id',
        'endpoint.summary',
        'endpoint.description',
        'endpoint.method_type',
        'endpoint.path',
        'api.name as api',
      ])
      .orderBy('endpoint.id')

  return {
    /**
     * Everything that decides whether a user may send to an endpoint, in one query. The endpoint's columns are
     * null where it does not exist; undefined where the user does not.
     */
    findSendRight: (userId: number, endpointId: number) =>
      db
        .selectFrom('user')
        .leftJoin('endpoint', (join) => join.on('endpoint.id', '=', endpointId))
        .leftJoin('api', 'api.id', 'endpoint.api_id')
        .select([
          'endpoint.status as endpoint_status',
          'api.gateway_status as api_status',
          'api.name as api_name',
          sql<string | null>`(select string_agg(permission.name, ' ')
            from user_role
            join role_permission on role_permission.role_id = user_role.role_id
            join permission on permission.id = role_permission.permission_id
            where user_role.user_id = ${userId})`.as('permissions'),
          sql<number>`(select count(*) from user_role
            join role on role.id = user_role.role_id
            where user_role.user_id = ${userId} and role.name = ${superAdminRole})`.as(
            'super_admins',
          ),
          sql<number>`(select count(*) from user_role
            join role_endpoint on role_endpoint.role_id = user_role.role_id
            where user_role.user_id = ${userId} and role_endpoint.endpoint_id = ${endpointId})`.as(
            'accesses',
          ),
        ])
        .where('user.id', '=', userId)
        .executeTakeFirst(),
    /** One row for each user and role that the user has. */
    list: async (query: ListQuery) => {
      const name = (query.sort ?? 'name').replace(/^-/, '') as keyof typeof sortColumns
      const direction = query.sort?.startsWith('-') ? 'desc' : 'asc'
      const rows = await filtered(query)
        .select(['role.id', 'user.id as user_id', 'user.name', 'user.email', 'role.name as role'])
        .select(
          sql<number>`(select count(*) from role_endpoint where role_endpoint.role_id = role.id)`.as(
            'endpoints_count',
          ),
        )
        .orderBy(sortColumns[name], direction)
        .orderBy('user.id')
        .orderBy('role.id')
        .limit(query.limit)
        .offset((query.page - 1) * query.limit)
        .execute()
      const { total } = await filtered(query)
        .select(sql<number>`count(*)`.as('total'))
        .executeTakeFirstOrThrow()
      return {
        rows,
        total,
      }
    },
    listEndpoints: () => endpoints().execute(),
    listEndpointsOf: (roleId: number) =>
      endpoints()
        .innerJoin('role_endpoint', 'role_endpoint.endpoint_id', 'endpoint.id')
        .where('role_endpoint.role_id', '=', roleId)
        .execute(),
    /** Counts a change of the role's access. False where it has changed since this version. */
    raiseVersion: async (roleId: number, version: number): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('role')
        .set({ access_version: version + 1 })
        .where('id', '=', roleId)
        .where('access_version', '=', version)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    setEndpoints: async (roleId: number, endpointIds: readonly number[]) => {
      await db.deleteFrom('role_endpoint').where('role_id', '=', roleId).execute()
      // PostgreSQL takes at most 65,535 parameters a statement, two of them a row.
      for (let at = 0; at < endpointIds.length; at += 1000) {
        const rows = endpointIds
          .slice(at, at + 1000)
          .map((endpoint_id) => ({ role_id: roleId, endpoint_id }))
        await db.insertInto('role_endpoint').values(rows).execute()
      }
    },
    /**
     * What the caller holds. Callers who may edit access could grant any endpoint anyway, so endpoints do
     * not limit them.
     */
    reachOf: async (caller: Caller): Promise<Reach> => {
      if (can(caller, 'api-permission.edit')) return { caller, roleIdsBeyond: new Set() }
      const rows = await db
        .selectFrom('role_endpoint')
        .select('role_endpoint.role_id')
        .distinct()
        .where((where) =>
          where.not(
            where.exists((select) =>
              select
                .selectFrom('role_endpoint as own')
                .innerJoin('user_role', 'user_role.role_id', 'own.role_id')
                .select('own.role_id')
                .where('user_role.user_id', '=', caller.user.id)
                .whereRef('own.endpoint_id', '=', 'role_endpoint.endpoint_id'),
            ),
          ),
        )
        .execute()
      return { caller, roleIdsBeyond: new Set(rows.map(({ role_id }) => role_id)) }
    },
    /** Takes the endpoint from every role, and returns the names of those that held it. */
    clearEndpoint: async (endpointId: number): Promise<string[]> => {
      const holders = await db
        .selectFrom('role_endpoint')
        .innerJoin('role', 'role.id', 'role_endpoint.role_id')
        .select(['role.id', 'role.name'])
        .where('role_endpoint.endpoint_id', '=', endpointId)
        .orderBy('role.name')
        .execute()
      if (holders.length === 0) return []
      await db.deleteFrom('role_endpoint').where('endpoint_id', '=', endpointId).execute()
      // An open form still holds the endpoint: saving it must not give the access again.
      await db
        .updateTable('role')
        .set((role) => ({ access_version: role('access_version', '+', 1) }))
        .where(
          'id',
          'in',
          holders.map(({ id }) => id),
        )
        .execute()
      return holders.map(({ name }) => name)
    },
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
