import type { WorkflowDefinition } from '@gatehouse/contract'
import type { Db } from '../../../db/connect.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'

/** A workflow that calls an endpoint. */
interface WorkflowUse {
  id: number
  slug: string
  name: string
  /** An earlier version whose runs have not ended; null: the version in force. */
  version: number | null
}

/** Runs in these states carry their version out without a person. */
const goingOn = ['queued', 'running', 'pending', 'waits_for_release'] as const

const unreachedMessage = 'No role of yours has access to every endpoint that this workflow calls.'

/** The endpoints that workflows call; a part of the store of workflows. */
export function workflowEndpointStore(db: Db) {
  const listCurrent = (endpointId: number) =>
    db
      .selectFrom('workflow_endpoint')
      .innerJoin('workflow', 'workflow.id', 'workflow_endpoint.workflow_id')
      .select(['workflow.id', 'workflow.slug', 'workflow.name'])
      .where('workflow_endpoint.endpoint_id', '=', endpointId)
      .orderBy('workflow.name')
      .orderBy('workflow.id')
      .execute()

  const listEarlier = () =>
    db
      .selectFrom('workflow')
      .innerJoin('run', 'run.workflow_id', 'workflow.id')
      .select(['workflow.id', 'workflow.slug', 'workflow.name', 'run.workflow_version as version'])
      .distinct()
      .where('run.state', 'in', goingOn)
      .whereRef('run.workflow_version', '<>', 'workflow.version')
      .orderBy('workflow.name')
      .orderBy('version')
      .execute()

  const stepsOf = async (workflowId: number, version: number) => {
    const found = await db
      .selectFrom('workflow_version')
      .select('definition')
      .where('workflow_id', '=', workflowId)
      .where('version', '=', version)
      .executeTakeFirst()
    return found ? (JSON.parse(found.definition) as WorkflowDefinition).steps : []
  }

  return {
    /** The endpoints that the version in force calls. An endpoint that does not exist is refused. */
    setEndpoints: async (workflowId: number, endpointIds: readonly number[]) => {
      await db.deleteFrom('workflow_endpoint').where('workflow_id', '=', workflowId).execute()
      const ids = [...new Set(endpointIds)]
      if (ids.length === 0) return
      await db
        .insertInto('workflow_endpoint')
        .values(ids.map((endpoint_id) => ({ workflow_id: workflowId, endpoint_id })))
        .execute()
    },
    /**
     * The one rule of access for everything that belongs to a workflow: who changes it has access to every
     * endpoint that the workflow calls, as who saves its definition. A callback or a webhook leads its data out
     * and in. Call it in the transaction of the change. Throws a 403.
     */
    refuseUnreached: async (workflowId: number, { user, isSuperAdmin }: Caller): Promise<void> => {
      if (isSuperAdmin) return
      const unreached = await db
        .selectFrom('workflow_endpoint')
        .select('endpoint_id')
        .where('workflow_id', '=', workflowId)
        .where((each) =>
          each.not(
            each.exists(
              each
                .selectFrom('role_endpoint')
                .innerJoin('user_role', 'user_role.role_id', 'role_endpoint.role_id')
                .select('role_endpoint.role_id')
                .where('user_role.user_id', '=', user.id)
                .whereRef('role_endpoint.endpoint_id', '=', 'workflow_endpoint.endpoint_id'),
            ),
          ),
        )
        .limit(1)
        .executeTakeFirst()
      if (unreached) throw new AppError('permission.denied', { message: unreachedMessage })
    },
    /** The workflows that call an endpoint, and earlier versions of which runs still go on. */
    listUsing: async (endpointId: number): Promise<WorkflowUse[]> => {
      const uses: WorkflowUse[] = (await listCurrent(endpointId)).map((each) => ({
        ...each,
        version: null,
      }))
      for (const { version, ...workflow } of await listEarlier()) {
        if (version === null) continue
        const steps = await stepsOf(workflow.id, version)
        if (steps.some(({ endpoint_id }) => endpoint_id === endpointId))
          uses.push({ ...workflow, version })
      }
      return uses
    },
  }
}
