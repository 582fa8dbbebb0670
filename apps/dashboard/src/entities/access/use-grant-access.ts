import { call } from '../../lib/calls/call.ts'
import { useAction } from '../../lib/calls/define-resource.ts'

interface Grant {
  roleId: number
  endpointIds: readonly number[]
}

/** Adds endpoints to what a role may call. Throws the server's reason where the role is locked. */
async function grantAccess({ roleId, endpointIds }: Grant): Promise<void> {
  const params = { id: roleId }
  // Over the version that was read: a change of another user in between is not undone.
  const query = { endpoints: 'few' as const }
  const { version } = await call('GET /api/api-permission/:id/edit', { params, query })
  const body = { difference: { add: [...endpointIds] }, version }
  await call('PUT /api/api-permission/:id/update', { params, body })
}

/** The whole cache is fetched again: much of it shows who may call what. */
export const useGrantAccess = (onSuccess?: () => void) =>
  useAction([], grantAccess, onSuccess && { onSuccess })
