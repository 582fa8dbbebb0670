import { mayCall, mayCallFrom } from '../callers/may-call.ts'
import { scopeProblem } from '../callers/token-limits.ts'
import type { AgentRequest } from '../exchange/agent-request.ts'
import type { EndpointTool } from '../snapshot/compile-snapshot.ts'

/**
 * Whether a tool exists for this agent: it is of the API that was asked, and one of the caller's roles has access to
 * the endpoint, also where others need no token for it, and the token is not limited to others.
 */
export function mayUse({ api, caller }: AgentRequest, { endpoint }: EndpointTool): boolean {
  const { id, api_id, method } = endpoint.config
  if (api !== null && api.config.id !== api_id) return false
  if (!mayCall(caller, id)) return false
  return caller.limits === null || scopeProblem(caller.limits, id, method) === null
}

/** Whether it is shown: a call would not be refused for what is configured. */
export function isShown(request: AgentRequest, tool: EndpointTool): boolean {
  const { api, config } = tool.endpoint
  const isOn = api.config.is_active && config.is_active && api.config.fault === null
  const isNear = !api.config.is_internal || request.isInternal
  if (!isOn || !isNear || !mayUse(request, tool)) return false
  return mayCallFrom(request.caller, config.id, request.clientAddress)
}

/** Whom an agent is counted as, and whose its answers are: the token, or who a JWT is of. */
export const agentKey = ({ caller: { tokenId, quotaKey } }: Pick<AgentRequest, 'caller'>): string =>
  tokenId === null ? quotaKey : `t${tokenId}`
