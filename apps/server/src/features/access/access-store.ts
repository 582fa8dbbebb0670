import { superAdminRole } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { containsWords, readPage, type ListQuery } from '../../db/listing.ts'
import { statement } from '../../db/statement.ts'
import { accessFacts } from './access-facts.ts'
import { apiAccessStore } from './api-access-store.ts'
import { closeOpenForms } from './close-open-forms.ts'
import { accessChoicesStore } from './access-choices-store.ts'
import { endpointAccessStore } from './endpoint-access-store.ts'
import { reachStore } from './reach-store.ts'

const sortColumns = {
  id: 'role.id',
  name: 'user.name',
  email: 'user.email',
  role: 'role.name',
} as const

/** How many roles of the user have access to the endpoint. */
const accessesToEndpoint = (userId: number, endpointId: number) =>
  sql<number>`(select count(*) from user_role
    join role_endpoint on role_endpoint.role_id = user_role.role_id
    where user_role.user_id = ${userId} and role_endpoint.endpoint_id = ${endpointId})`

const accessesToWorkflow = (userId: number, workflowId: number) =>
  sql<number>`(select count(*) from user_role
    join role_workflow on role_workflow.role_id = user_role.role_id
    where user_role.user_id = ${userId} and role_workflow.workflow_id = ${workflowId})`

const sendRight = (db: Db, userId: number, endpointId: number) =>
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
        where user_role.user_id = ${userId} and role.name = ${superAdminRole})`.as('super_admins'),
    ])
    .where('user.id', '=', userId)

const endpointRight = statement(
  (db, { userId, endpointId }: { userId: number; endpointId: number }) =>
    sendRight(db, userId, endpointId).select([
      accessesToEndpoint(userId, endpointId).as('accesses'),
      sql<number>`0`.as('workflows'),
    ]),
)

const workflowRight = statement(
  (db, values: { userId: number; endpointId: number; workflowId: number }) =>
    sendRight(db, values.userId, values.endpointId).select([
      accessesToWorkflow(values.userId, values.workflowId).as('accesses'),
      sql<number>`(select count(*) from workflow
        where id = ${values.workflowId} and deleted_at is null)`.as('workflows'),
    ]),
)

export function accessStore(db: Db) {
  const filtered = ({ search }: ListQuery) => {
    const query = db
      .selectFrom('user_role')
      .innerJoin('user', 'user.id', 'user_role.user_id')
      .innerJoin('role', 'role.id', 'user_role.role_id')
    return search
      ? query.where(containsWords(search, ['user.name', 'user.email', 'role.name']))
      : query
  }

  return {
    ...accessFacts(db),
    ...endpointAccessStore(db),
    ...accessChoicesStore(db),
    ...reachStore(db),
    ...apiAccessStore(db),
    /**
     * Everything that decides whether a user may send to an endpoint, in one query. The endpoint's columns are
     * null where it does not exist; undefined where the user does not. `accesses`: the user's roles that
     * have access to the endpoint, or to the workflow where one is named.
     */
    findSendRight: async (userId: number, endpointId: number, workflowId?: number) => {
      const { rows } =
        workflowId === undefined
          ? await endpointRight(db, { userId, endpointId })
          : await workflowRight(db, { userId, endpointId, workflowId })
      return rows[0]
    },
    /** Whether one of the roles has access to the workflow; undefined where it was deleted. */
    findWorkflowAccess: async (
      workflowId: number,
      roleIds: readonly number[],
    ): Promise<boolean | undefined> => {
      const found = await db
        .selectFrom('workflow')
        .select((each) =>
          each
            .selectFrom('role_workflow')
            .select(sql<number>`count(*)`.as('count'))
            .whereRef('workflow_id', '=', 'workflow.id')
            .where('role_id', 'in', [...roleIds, 0])
            .as('count'),
        )
        .where('id', '=', workflowId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return found && (found.count ?? 0) > 0
    },
    /** One row for each user and role that the user has. */
    list: async (query: ListQuery) => {
      const name = (query.sort ?? 'name').replace(/^-/, '') as keyof typeof sortColumns
      const direction = query.sort?.startsWith('-') ? 'desc' : 'asc'
      const members = filtered(query)
        .select(['role.id', 'user.id as user_id', 'user.name', 'user.email', 'role.name as role'])
        .select(
          sql<number>`(select count(*) from role_endpoint where role_endpoint.role_id = role.id)`.as(
            'endpoints_count',
          ),
        )
        .select(
          sql<number>`(select count(*) from role_workflow where role_workflow.role_id = role.id)`.as(
            'workflows_count',
          ),
        )
        .orderBy(sortColumns[name], direction)
        .orderBy('user.id')
        .orderBy('role.id')
      return readPage(members, query)
    },
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
    /** Takes the endpoint from every role, and returns the names of those that held it. */
    clearEndpoint: async (endpointId: number): Promise<string[]> => {
      const holders = await db
        .selectFrom('role_endpoint')
        .innerJoin('role', 'role.id', 'role_endpoint.role_id')
        .select(['role.id', 'role.name'])
        .where('role_endpoint.endpoint_id', '=', endpointId)
        .orderBy('role.name')
        .execute()
      await db.deleteFrom('role_endpoint').where('endpoint_id', '=', endpointId).execute()
      return closeOpenForms(db, holders)
    },
  }
}
