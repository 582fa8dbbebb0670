import type { WorkflowDefinition } from '@gatehouse/contract'
import type { Db } from '../../../db/connect.ts'

/** A workflow that calls an endpoint. */
export interface WorkflowUse {
  id: number
  slug: string
  name: string
  /** An earlier version whose runs have not ended; null: the version in force. */
  version: number | null
}

/** Runs in these states carry their version out without a person. */
const goingOn = ['queued', 'running', 'pending'] as const

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
