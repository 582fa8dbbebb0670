import type { Db } from '../../db/connect.ts'
import { can, type Caller, type Reach } from '../../kernel/caller.ts'

/** What callers hold; a part of the access store. */
export function reachStore(db: Db) {
  const beyond = {
    /** Roles with an endpoint that no role of this user has. */
    endpoints: (userId: number) =>
      db
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
                .where('user_role.user_id', '=', userId)
                .whereRef('own.endpoint_id', '=', 'role_endpoint.endpoint_id'),
            ),
          ),
        )
        .execute(),
    /** Roles with a workflow that no role of this user has. */
    workflows: (userId: number) =>
      db
        .selectFrom('role_workflow')
        .select('role_workflow.role_id')
        .distinct()
        .where((where) =>
          where.not(
            where.exists((select) =>
              select
                .selectFrom('role_workflow as own')
                .innerJoin('user_role', 'user_role.role_id', 'own.role_id')
                .select('own.role_id')
                .where('user_role.user_id', '=', userId)
                .whereRef('own.workflow_id', '=', 'role_workflow.workflow_id'),
            ),
          ),
        )
        .execute(),
  }
  const idsOf = (rows: readonly { role_id: number }[]) =>
    new Set(rows.map(({ role_id }) => role_id))

  return {
    /**
     * What the caller holds. Callers who may edit access could grant any endpoint and workflow anyway, so
     * these do not limit them. With `workflow.run` a user runs every workflow.
     */
    reachOf: async (caller: Caller): Promise<Reach> => {
      const none: ReadonlySet<number> = new Set()
      if (can(caller, 'api-permission.edit'))
        return { caller, roleIdsBeyond: none, workflowRoleIdsBeyond: none }
      const { id } = caller.user
      return {
        caller,
        roleIdsBeyond: idsOf(await beyond.endpoints(id)),
        workflowRoleIdsBeyond: can(caller, 'workflow.run')
          ? none
          : idsOf(await beyond.workflows(id)),
      }
    },
  }
}
