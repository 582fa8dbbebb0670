import { apiToolsMax, effectOf, wireMethods, type ApiTool } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { isOffered } from '../../publishing/tools/tool-of.ts'
import type { Stores } from '../../stores.ts'
import { runSettingsOf } from './endpoint-columns.ts'
import type { EndpointRow } from './endpoint-store.ts'

/** The endpoints of an API as tools of agents. Throws a 404 where there is no such API. */
export async function listTools(
  { apis, endpoints }: Pick<Stores, 'apis' | 'endpoints'>,
  apiId: number,
) {
  const api = await apis.find(apiId)
  if (!api) throw new AppError('api.not_found')
  const rows = await endpoints.listOfApis([apiId], apiToolsMax)
  return {
    is_offered: api.offer_to_agents === 1,
    is_signed: isSigned(api.traffic_policy),
    tools: rows.map(toTool),
  }
}

function isSigned(policy: string | null): boolean {
  const { signature = null } =
    policy === null ? {} : (JSON.parse(policy) as { signature?: unknown })
  return signature !== null
}

const toTool = (row: EndpointRow): ApiTool => ({
  endpoint_id: row.id,
  summery: row.summary,
  method_type: row.method_type,
  path: row.path,
  status: row.status,
  effect: effectOf(runSettingsOf(row), wireMethods[row.method_type]),
  agent_offer: row.agent_offer ?? 'as_api',
  tool_name: row.tool_name ?? '',
  is_tool: isOffered(row),
  needs_release: row.agent_release_hours !== null,
})
