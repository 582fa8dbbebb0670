import { z } from 'zod'
import { agentOffers } from './agent-tools.ts'
import { statuses } from '../apis/api-fields.ts'
import { methods } from '../endpoints/endpoint-methods.ts'
import { idMax } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'

/** Endpoints of one answer; the others are left out. */
export const apiToolsMax = 2_000

const apiTool = z.object({
  endpoint_id: z.number().int(),
  summery: z.string(),
  method_type: z.enum(methods),
  path: z.string(),
  status: z.enum(statuses),
  effect: z.enum(['read', 'idempotent', 'submit']),
  agent_offer: z.enum(agentOffers),
  /** Blank until it becomes a tool. */
  tool_name: z.string(),
  /** A tool while the API is offered. */
  is_tool: z.boolean(),
  /** A person has to release each call. */
  needs_release: z.boolean(),
})
export type ApiTool = z.output<typeof apiTool>

/** What of an API agents may find, by what is configured (spec: agent-tools). */
export const listApiTools = defineRoute({
  method: 'GET',
  path: '/api/apis/:id/tools',
  access: 'endpoint.view',
  tag: 'Agents',
  summary: 'The endpoints of an API as tools of agents, by their ids; at most 2,000',
  params: idParams,
  response: z.object({
    is_offered: z.boolean(),
    /** It takes signed requests alone: it has no tools. */
    is_signed: z.boolean(),
    tools: z.array(apiTool),
  }),
})

const seenTools = z.object({
  /** As the gateway shows them, each a JSON object; at most 2,000. */
  tools: z.array(z.record(z.string(), z.unknown())),
})
export type SeenTools = z.output<typeof seenTools>

/**
 * Asks the gateway itself what an agent with this role alone finds at the API. For those who could make a token for any
 * user with the role, as with _Try it_.
 */
export const seeApiTools = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/tools/seen',
  access: 'request.send',
  tag: 'Agents',
  summary: 'The tools that an agent with a role finds at an API',
  params: idParams,
  body: z.object({ as_role: z.number().int().positive().max(idMax) }),
  response: seenTools,
})
