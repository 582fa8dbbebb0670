import {
  scopeOf,
  takesMethod,
  wireMethods,
  type EndpointVerdict,
  type TokenLimits,
  type WorkflowVerdict,
} from '@gatehouse/contract'
import { readLimits } from '../../kernel/stored-limits.ts'

type Method = keyof typeof wireMethods

/** How a run of a workflow is started. */
const starting = 'POST'
/** How many tokens a verdict names. */
const namesMax = 3

/** Whether a token opens an endpoint, by its limits alone. */
export function takesEndpoint(limits: TokenLimits, id: number, method: Method): boolean {
  const named = scopeOf(limits, 'endpoints')
  return (named === null || named.has(id)) && takesMethod(limits, wireMethods[method])
}

/** What the limits of a token change in the verdict on an endpoint. */
export function limitedEndpoint(
  limits: TokenLimits,
  { id, method_type }: { id: number; method_type: Method },
): Partial<EndpointVerdict> {
  if (takesEndpoint(limits, id, method_type)) return {}
  const isNamed = scopeOf(limits, 'endpoints')?.has(id) ?? true
  return { allowed: false, reason: isNamed ? methodsOf(limits) : 'The token is limited to others.' }
}

/** What the limits of a token change in the verdict on a workflow. */
export function limitedWorkflow(limits: TokenLimits, id: number): Partial<WorkflowVerdict> {
  const isNamed = scopeOf(limits, 'workflows')?.has(id) ?? true
  if (isNamed && takesMethod(limits, starting)) return {}
  const reason = isNamed ? methodsOf(limits) : 'The token is limited to others.'
  return { allowed: false, with_token: false, signed_in: false, reason }
}

const methodsOf = ({ methods }: TokenLimits) => `The token is limited to ${methods.join(', ')}.`

interface LimitedToken {
  name: string
  user_id: number
  limits: string | null
}

/** Names each user's tokens that do not open what their user may call; nothing for a user without one. */
export function exceptTokens(
  tokens: readonly LimitedToken[],
  isOpen: (limits: TokenLimits) => boolean,
): (userId: number) => string {
  const closed = tokens.filter(({ limits }) => !isOpen(readLimits(limits)))
  const byUser = Map.groupBy(closed, ({ user_id }) => user_id)
  return (userId) => {
    const names = (byUser.get(userId) ?? []).map(({ name }) => name)
    if (names.length === 0) return ''
    const more = names.length > namesMax ? ' …' : ''
    return ` Not with tokens that are limited to others: ${names.slice(0, namesMax).join(', ')}${more}.`
  }
}
