import type {
  CallerVerdict,
  EndpointVerdict,
  RoleOption,
  WorkflowVerdict,
} from '@gatehouse/contract'
import { endpointLine, endpointName, workflowLine } from './access-choices.ts'

/** Whether one may be called, or one may call; with what says so. */
export interface Verdict {
  id: number
  name: string
  /** What tells it apart from its namesakes. */
  detail: string
  isAllowed: boolean
  reason: string
  grants: RoleOption[]
}

export type VerdictFilter = 'all' | 'allowed' | 'denied'

export function ofCaller({ user, allowed, reason, grants }: CallerVerdict): Verdict {
  return { id: user.id, name: user.name, detail: user.email, isAllowed: allowed, reason, grants }
}

export function ofEndpoint({ endpoint, allowed, reason, grants }: EndpointVerdict): Verdict {
  return {
    id: endpoint.id,
    name: endpointName(endpoint),
    detail: endpointLine(endpoint),
    isAllowed: allowed,
    reason,
    grants,
  }
}

export function ofWorkflow({ workflow, allowed, reason, grants }: WorkflowVerdict): Verdict {
  const { id, name } = workflow
  return { id, name, detail: workflowLine(workflow), isAllowed: allowed, reason, grants }
}

/** By name, detail and the roles that grant it. */
export function filterVerdicts(
  verdicts: readonly Verdict[],
  search: string,
  filter: VerdictFilter,
): Verdict[] {
  const text = search.trim().toLowerCase()
  return verdicts.filter(
    ({ name, detail, grants, isAllowed }) =>
      (filter === 'all' || isAllowed === (filter === 'allowed')) &&
      [name, detail, ...grants.map((role) => role.name)].some((part) =>
        part.toLowerCase().includes(text),
      ),
  )
}
