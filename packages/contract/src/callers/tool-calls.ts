import { z } from 'zod'
import { idMax } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'

/** How far back the figures of tools go. */
export const toolCallDays = 30
/** Tokens with their tools of one answer, those with the most calls. */
export const toolCallsShown = 200

const toolCalls = z.object({
  token_id: z.number().int(),
  token_name: z.string(),
  user_name: z.string(),
  tool: z.string(),
  calls: z.number().int(),
  /** The arguments did not fit, or the gateway or the API answered 4xx. */
  refused: z.number().int(),
  /** Answered 5xx, or cut off; or its run has failed. */
  failed: z.number().int(),
  /** Stored, to wait for its release. */
  waiting: z.number().int(),
  /** In ms; an estimate within the width of a bucket. */
  p95: z.number().nullable(),
})
export type ToolCalls = z.output<typeof toolCalls>

const id = z.coerce.number().int().positive().max(idMax).optional()

/** What personal tokens did with tools (spec: agent-tools): of tokens that the caller sees in the list of tokens. */
export const listToolCalls = defineRoute({
  method: 'GET',
  path: '/api/tool-calls',
  access: 'token.view',
  tag: 'Agents',
  summary: 'Which personal tokens called which tools in the last 30 days',
  query: z.object({ api_id: id, token_id: id }),
  response: z.object({ calls: z.array(toolCalls) }),
})
