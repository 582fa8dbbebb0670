import type { Permission } from '@gatehouse/contract'
import type { Db } from '../../db/connect.ts'
import { inParts } from '../../kernel/in-parts.ts'
import { heldUntilCommit } from '../../db/dialect.ts'
import { containsWords } from '../../db/listing.ts'
import { closeOpenForms } from './close-open-forms.ts'

/** Which roles may run which workflows by a token. Deleted workflows are in no list. */
export function workflowAccessStore(db: Db) {
  const workflows = () =>
    db
      .selectFrom('workflow')
      .select(['workflow.id', 'workflow.slug', 'workflow.name', 'workflow.kind', 'workflow.status'])
      .where('workflow.deleted_at', 'is', null)

  return {
    list: () => workflows().orderBy('workflow.id').execute(),
    listOf: (roleId: number) =>
      workflows()
        .innerJoin('role_workflow', 'role_workflow.workflow_id', 'workflow.id')
        .where('role_workflow.role_id', '=', roleId)
        .orderBy('workflow.id')
        .execute(),
    findAll: (ids: readonly number[]) =>
      workflows()
        .where('workflow.id', 'in', [...ids, 0])
        .orderBy('workflow.id')
        .execute(),
    /** The first by name that a search finds of those that the roles hold; null: of all. */
    search: (roleIds: readonly number[] | null, search: string, limit: number) =>
      workflows()
        .$if(roleIds !== null, (query) =>
          query.where('workflow.id', 'in', (from) =>
            from
              .selectFrom('role_workflow')
              .select('workflow_id')
              .where('role_id', 'in', [...roleIds!, 0]),
          ),
        )
        .$if(search !== '', (query) =>
          query.where(containsWords(search, ['workflow.name', 'workflow.slug'])),
        )
        .orderBy('workflow.name')
        .orderBy('workflow.id')
        .limit(limit)
        .execute(),
    find: (id: number) => workflows().where('workflow.id', '=', id).executeTakeFirst(),
    set: async (roleId: number, workflowIds: readonly number[]) => {
      await db.deleteFrom('role_workflow').where('role_id', '=', roleId).execute()
      // PostgreSQL takes at most 65,535 parameters a statement, two of them a row.
      for (const some of inParts(workflowIds, 1000)) {
        const rows = some.map((workflow_id) => ({ role_id: roleId, workflow_id }))
        await db.insertInto('role_workflow').values(rows).execute()
      }
    },
    /** Whether a role of the user has the workflow; inside a transaction this stays so until its end. */
    holdAccess: async (workflowId: number, userId: number): Promise<boolean> => {
      const found = await heldUntilCommit(
        db,
        db
          .selectFrom('role_workflow')
          .innerJoin('user_role', 'user_role.role_id', 'role_workflow.role_id')
          .select('role_workflow.role_id')
          .where('role_workflow.workflow_id', '=', workflowId)
          .where('user_role.user_id', '=', userId),
      ).executeTakeFirst()
      return found !== undefined
    },
    /** Takes a workflow that is about to be deleted from every role; returns the roles' names. */
    clear: async (workflowId: number): Promise<string[]> => {
      const holders = await db
        .selectFrom('role_workflow')
        .innerJoin('role', 'role.id', 'role_workflow.role_id')
        .select(['role.id', 'role.name'])
        .where('role_workflow.workflow_id', '=', workflowId)
        .orderBy('role.name')
        .execute()
      await db.deleteFrom('role_workflow').where('workflow_id', '=', workflowId).execute()
      return closeOpenForms(db, holders)
    },
    /** Every grant: which role holds which workflow. */
    listGrants: () =>
      db
        .selectFrom('role_workflow')
        .innerJoin('role', 'role.id', 'role_workflow.role_id')
        .select(['role_workflow.workflow_id', 'role.id', 'role.name'])
        .orderBy('role.id')
        .orderBy('role_workflow.workflow_id')
        .execute(),
    /** The roles that hold a permission. */
    listRolesWith: (permission: Permission) =>
      db
        .selectFrom('role_permission')
        .innerJoin('permission', 'permission.id', 'role_permission.permission_id')
        .innerJoin('role', 'role.id', 'role_permission.role_id')
        .select(['role.id', 'role.name'])
        .where('permission.name', '=', permission)
        .orderBy('role.id')
        .execute(),
  }
}
