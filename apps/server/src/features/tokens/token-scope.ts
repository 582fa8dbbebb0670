import {
  noTokenLimits,
  scopeChoicesShown,
  type ScopeChoice,
  type TokenLimits,
} from '@gatehouse/contract'
import { fieldError } from '../../kernel/app-error.ts'
import { isOffered } from '../../publishing/tools/tool-of.ts'
import type { Stores } from '../../stores.ts'

interface Choices {
  endpoints: ScopeChoice[]
  workflows: ScopeChoice[]
}

/** Endpoints and workflows that the roles give a user, the first that a search finds; null: every one. */
export async function choicesOf(
  { endpoints, workflowAccess }: Stores,
  roleIds: readonly number[] | null,
  search: string,
  onlyTools: boolean,
): Promise<Choices> {
  const found = await endpoints.listCallable(roleIds ?? undefined, {
    search,
    ids: undefined,
    effect: '',
    limit: scopeChoicesShown,
    onlyTools,
  })
  const workflows = await workflowAccess.search(roleIds, search, scopeChoicesShown)
  return {
    endpoints: onlyTools ? found.filter(isOffered).map(ofTool) : found.map(ofEndpoint),
    workflows: workflows.map(ofWorkflow),
  }
}

/** What the limits name, as far as it still exists. */
export async function namedBy(
  { endpoints, workflowAccess }: Stores,
  limits: TokenLimits,
): Promise<Choices> {
  const found = await endpoints.findAll(limits.endpoints)
  const workflows = await workflowAccess.findAll(limits.workflows)
  return { endpoints: found.map(ofEndpoint), workflows: workflows.map(ofWorkflow) }
}

/** Throws a 422 for what does not exist, unless the token named it before it was deleted. */
export async function refuseUnknown(
  stores: Stores,
  limits: TokenLimits,
  before = noTokenLimits,
): Promise<void> {
  const named = await namedBy(stores, limits)
  for (const what of ['endpoints', 'workflows'] as const) {
    const known = new Set([...named[what].map(({ id }) => id), ...before[what]])
    if (limits[what].some((id) => !known.has(id)))
      throw fieldError({ [`limits.${what}`]: [`Choose ${what} from the list.`] })
  }
}

const ofEndpoint = (row: Endpoint): ScopeChoice => ({
  id: row.id,
  name: row.summary,
  line: `${row.api_name} · ${row.method_type.toUpperCase()} ${row.path}`,
})
type Endpoint = Awaited<ReturnType<Stores['endpoints']['findAll']>>[number]

/** Agents know it by the name of its tool. */
const ofTool = (row: Endpoint): ScopeChoice => ({
  ...ofEndpoint(row),
  line: `${row.tool_name} · ${row.api_name} · ${row.method_type.toUpperCase()} ${row.path}`,
})

const ofWorkflow = ({ id, name, slug }: { id: number; name: string; slug: string }) => ({
  id,
  name,
  line: slug,
})
