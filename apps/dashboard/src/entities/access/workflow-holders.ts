import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'
import { useCan, useUser } from '../../lib/session/session.tsx'
import { gatewayClientId } from '../user/protected-users.ts'

/** The users whose tokens open a workflow; undefined until they are known, and for those who may not see access. */
export function useWorkflowHolders(workflowId: number) {
  const { data } = useQuery({
    queryKey: ['access', 'workflow', workflowId, 'tokens'],
    queryFn: ({ signal }) =>
      call('GET /api/access/workflow/:id', { params: { id: workflowId }, signal }),
    enabled: useCan()('api-permission.view'),
  })
  return data?.callers.filter(({ with_token }) => with_token).map(({ user }) => user)
}

/**
 * For whom a token for this workflow is made: the signed-in user, unless only others have access for whom
 * they may make one.
 */
export function useTokenOwner(workflowId: number): number {
  const can = useCan()
  const { id: self } = useUser()
  const holders = useWorkflowHolders(workflowId) ?? []
  const isHolder = (id: number) => holders.some((holder) => holder.id === id)
  if (isHolder(self)) return self
  if (isHolder(gatewayClientId)) return gatewayClientId
  return (can('token.create_any') ? holders[0]?.id : undefined) ?? self
}
