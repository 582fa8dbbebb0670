import { superAdminRole } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { NewRow } from '../../db/tables.ts'

interface ServedQuery {
  /** Endpoints that this role has access to; undefined: all. */
  roleId: number | undefined
  apiId: number | undefined
  limit: number
}

export const consumerDocsStore = (db: Db) => ({
  /** Active endpoints of active APIs. */
  listServed: ({ roleId, apiId, limit }: ServedQuery) =>
    db
      .selectFrom('endpoint')
      .selectAll('endpoint')
      .innerJoin('api', 'api.id', 'endpoint.api_id')
      .where('endpoint.status', '=', 'active')
      .where('api.gateway_status', '=', 'active')
      .$if(apiId !== undefined, (rows) => rows.where('api.id', '=', apiId!))
      .$if(roleId !== undefined, (rows) =>
        rows.where('endpoint.id', 'in', (select) =>
          select.selectFrom('role_endpoint').select('endpoint_id').where('role_id', '=', roleId!),
        ),
      )
      .orderBy('endpoint.id')
      .limit(limit)
      .execute(),
  /** Every role, with how many endpoints it has access to, and the link to its docs. */
  listRoles: () =>
    db
      .selectFrom('role')
      .leftJoin('docs_link', 'docs_link.role_id', 'role.id')
      .select(['role.id', 'role.name', 'docs_link.created_at', 'docs_link.user_name'])
      .select(
        sql<number>`case when role.name = ${superAdminRole}
          then (select count(*) from endpoint)
          else (select count(*) from role_endpoint where role_endpoint.role_id = role.id) end`.as(
          'endpoints_count',
        ),
      )
      .orderBy('role.id')
      .execute(),
  /** The role that a link shares. */
  findShared: (digest: string) =>
    db
      .selectFrom('docs_link')
      .innerJoin('role', 'role.id', 'docs_link.role_id')
      .select(['role.id', 'role.name'])
      .where('digest', '=', digest)
      .executeTakeFirst(),
  /** In place of an earlier link of the role. */
  share: (link: NewRow<'docs_link'>) => {
    const { role_id: _, ...changed } = link
    return db
      .insertInto('docs_link')
      .values(link)
      .onConflict((conflict) => conflict.column('role_id').doUpdateSet(changed))
      .execute()
  },
  /** False where there was no link. */
  unshare: async (roleId: number): Promise<boolean> => {
    const { numDeletedRows } = await db
      .deleteFrom('docs_link')
      .where('role_id', '=', roleId)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },
})
