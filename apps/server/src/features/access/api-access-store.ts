import {
  methods,
  noTokenLimits,
  scopeOf,
  superAdminRole,
  takesMethod,
  wireMethods,
  type TokenLimits,
} from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'

interface CallableFilter {
  /** Undefined: every role. */
  roleIds: readonly number[] | undefined
  /** Of the token that is asked about. */
  limits?: TokenLimits
}

/** Who may call the endpoints of one API; a part of the access store. */
export function apiAccessStore(db: Db) {
  /** Each endpoint of the API with each role that holds it. */
  const holders = (apiId: number) =>
    db
      .selectFrom('endpoint')
      .innerJoin('role_endpoint', 'role_endpoint.endpoint_id', 'endpoint.id')
      .where('endpoint.api_id', '=', apiId)

  return {
    countEndpointsOfApi: async (apiId: number) => {
      const { count } = await db
        .selectFrom('endpoint')
        .select(sql<number>`count(*)`.as('count'))
        .where('api_id', '=', apiId)
        .executeTakeFirstOrThrow()
      return count
    },
    /** How many roles hold each endpoint of the API; those that none holds are absent. */
    countHoldersOfApi: async (apiId: number): Promise<ReadonlyMap<number, number>> => {
      const rows = await holders(apiId)
        .select(['endpoint.id', sql<number>`count(*)`.as('count')])
        .groupBy('endpoint.id')
        .execute()
      return new Map(rows.map(({ id, count }) => [id, count]))
    },
    /** The roles that hold endpoints of the API, with how many. */
    listHoldersOfApi: (apiId: number) =>
      holders(apiId)
        .select(['role_endpoint.role_id', sql<number>`count(*)`.as('endpoints_count')])
        .groupBy('role_endpoint.role_id')
        .execute(),
    /** Super Admin and those of these roles that a search finds, with their users and valid tokens. */
    listCallingRoles: (roleIds: readonly number[], query: ListQuery, now: string) =>
      readPage(
        db
          .selectFrom('role')
          .select(['role.id', 'role.name'])
          .select((select) => [
            select
              .selectFrom('user_role')
              .select(sql<number>`count(*)`.as('count'))
              .whereRef('user_role.role_id', '=', 'role.id')
              .as('users_count'),
            select
              .selectFrom('user_role')
              .innerJoin('personal_token', 'personal_token.user_id', 'user_role.user_id')
              .select(sql<number>`count(*)`.as('count'))
              .whereRef('user_role.role_id', '=', 'role.id')
              .where('personal_token.revoked_at', 'is', null)
              .where('personal_token.expires_at', '>', now)
              .as('tokens_count'),
          ])
          .where((where) =>
            where.or([
              where('role.name', '=', superAdminRole),
              where('role.id', 'in', [...roleIds, 0]),
            ]),
          )
          .$if(query.search !== '', (roles) =>
            roles.where(containsWords(query.search, ['role.name'])),
          )
          .orderBy(listOrder(query.sort ?? 'name', 'role.id', ['name'])),
        query,
      ),
    /** Tokens that are valid now of users who have Super Admin or one of these roles. */
    listCallingTokens: (
      roleIds: readonly number[],
      query: ListQuery & { token_id?: number | undefined },
      now: string,
    ) =>
      readPage(
        db
          .selectFrom('personal_token')
          .innerJoin('user', 'user.id', 'personal_token.user_id')
          .select([
            'personal_token.id',
            'personal_token.name',
            'personal_token.expires_at',
            'personal_token.last_used_at',
            'personal_token.limits',
            'user.id as user_id',
            'user.name as user_name',
          ])
          .where('personal_token.revoked_at', 'is', null)
          .where('personal_token.expires_at', '>', now)
          .where('personal_token.user_id', 'in', (from) =>
            from
              .selectFrom('user_role')
              .innerJoin('role', 'role.id', 'user_role.role_id')
              .select('user_role.user_id')
              .where((where) =>
                where.or([
                  where('role.name', '=', superAdminRole),
                  where('role.id', 'in', [...roleIds, 0]),
                ]),
              ),
          )
          .$if(query.token_id !== undefined, (tokens) =>
            tokens.where('personal_token.id', '=', query.token_id!),
          )
          .$if(query.search !== '', (tokens) =>
            tokens.where(containsWords(query.search, ['personal_token.name', 'user.name'])),
          )
          .orderBy(listOrder(query.sort, 'personal_token.id', ['name'])),
        query,
      ),
    rolesOfUsers: (userIds: readonly number[]) =>
      db
        .selectFrom('user_role')
        .innerJoin('role', 'role.id', 'user_role.role_id')
        .select(['user_role.user_id', 'role.id', 'role.name'])
        .where('user_role.user_id', 'in', [...userIds, 0])
        .orderBy('role.name')
        .execute(),
    /** How many endpoints of the API each of these users may call by the endpoints of their roles. */
    countCallableOfApi: (apiId: number, userIds: readonly number[]) =>
      holders(apiId)
        .innerJoin('user_role', 'user_role.role_id', 'role_endpoint.role_id')
        .select([
          'user_role.user_id',
          sql<number>`count(distinct endpoint.id)`.as('endpoints_count'),
        ])
        .where('user_role.user_id', 'in', [...userIds, 0])
        .groupBy('user_role.user_id')
        .execute(),
    /** The endpoints of the API; those alone that one of the roles holds and the limits name, where given. */
    listCallable: (
      apiId: number,
      { roleIds, limits = noTokenLimits }: CallableFilter,
      query: ListQuery,
    ) =>
      readPage(
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
            'endpoint.authentication',
            'api.name as api',
            'api.authentication as api_authentication',
          ])
          .where('endpoint.api_id', '=', apiId)
          .$if(roleIds !== undefined, (endpoints) =>
            endpoints.where('endpoint.id', 'in', (from) =>
              from
                .selectFrom('role_endpoint')
                .select('endpoint_id')
                .where('role_id', 'in', [...roleIds!, 0]),
            ),
          )
          .$if(scopeOf(limits, 'endpoints') !== null, (endpoints) =>
            endpoints.where('endpoint.id', 'in', [...limits.endpoints, 0]),
          )
          .$if(limits.methods.length > 0, (endpoints) =>
            endpoints.where(
              'endpoint.method_type',
              'in',
              methods.filter((method) => takesMethod(limits, wireMethods[method])),
            ),
          )
          .$if(query.search !== '', (endpoints) =>
            endpoints.where(
              containsWords(query.search, [
                'endpoint.description',
                'endpoint.summary',
                'endpoint.path',
                'endpoint.method_type',
              ]),
            ),
          )
          .orderBy(listOrder(query.sort, 'endpoint.id', ['path'])),
        query,
      ),
    rolesOfEndpoints: (endpointIds: readonly number[]) =>
      db
        .selectFrom('role_endpoint')
        .innerJoin('role', 'role.id', 'role_endpoint.role_id')
        .select(['role_endpoint.endpoint_id', 'role.id', 'role.name'])
        .where('role_endpoint.endpoint_id', 'in', [...endpointIds, 0])
        .orderBy('role.name')
        .execute(),
  }
}
