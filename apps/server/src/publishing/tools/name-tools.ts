import { freeToolName, toolPrefix } from '@gatehouse/contract'
import type { Stores } from '../../stores.ts'
import { isOffered } from './tool-of.ts'

/**
 * Gives a name to each endpoint that has become a tool of agents by the change of this transaction. It keeps it,
 * whatever the API and the endpoint are called later (spec: agent-tools).
 */
export async function nameTools({ apis, endpoints }: Stores, apiId: number): Promise<void> {
  const api = await apis.find(apiId)
  if (api?.offer_to_agents !== 1) return
  const nameless = (await endpoints.listWithoutToolName(apiId)).filter(isOffered)
  if (nameless.length === 0) return
  const taken = new Set(await endpoints.listToolNames(toolPrefix(api.context)))
  for (const { id, summary, method_type, path } of nameless) {
    const named = { context: api.context, summary, method: method_type, path }
    const name = freeToolName(named, (each) => taken.has(each))
    taken.add(name)
    await endpoints.giveToolName(id, name)
  }
}
