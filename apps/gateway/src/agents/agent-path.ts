import type { Exchange } from '../exchange/exchange.ts'
import type { CompiledApi } from '../snapshot/compile-snapshot.ts'

/** Where agents post their messages; behind it, the context of one API. */
export const agentPath = '/mcp'

/** The API whose tools are at a path. Null: all APIs; undefined: no path for agents, or nothing is offered there. */
export function apiAt({ snapshot }: Exchange, path: string): CompiledApi | null | undefined {
  const { tools, apis, contexts } = snapshot.parts
  if (!tools.isServed) return undefined
  if (path === agentPath) return null
  if (!path.startsWith(`${agentPath}/`)) return undefined
  const id = contexts.get(path.slice(agentPath.length + 1))
  const api = id === undefined ? undefined : apis.get(id)
  return api?.config.offer_to_agents ? api : undefined
}
