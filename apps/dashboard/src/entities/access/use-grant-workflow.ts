import { call } from '../../lib/calls/call.ts'
import { useAction } from '../../lib/calls/define-resource.ts'

interface Grant {
  roleId: number
  workflowId: number
}

/** Adds a workflow to what a role may call. Throws the server's reason where the role is locked. */
async function grantWorkflow({ roleId, workflowId }: Grant): Promise<void> {
  const params = { id: roleId }
  // Over the version that was read: a change of another user in between is not undone.
  const query = { endpoints: 'few' as const }
  const { version, selected_workflows } = await call('GET /api/api-permission/:id/edit', {
    params,
    query,
  })
  const workflows = [...selected_workflows.map(({ id }) => id), workflowId]
  const body = { difference: {}, workflows, version }
  await call('PUT /api/api-permission/:id/update', { params, body })
}

/** The whole cache is fetched again: much of it shows who may call what. */
export const useGrantWorkflow = (onSuccess: () => void) =>
  useAction([], grantWorkflow, { onSuccess })
