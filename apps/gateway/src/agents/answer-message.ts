import type { AgentRequest } from '../exchange/agent-request.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { modernFields } from './answer-request.ts'
import { errorText, modernRevision, resultText, rpcCodes, type RpcError } from './protocol.ts'
import type { AgentMessage } from './read-message.ts'
import { failed } from './tool-result.ts'

// The ways to answer a message of an agent.

export const inASecond = { headers: ['Retry-After', '1'] }

/** What costs more than a request, and no policy of an API counts: lists, and what the control plane is asked. */
export const mayAsk = ({ gateway, startedAtMs }: Exchange, { caller }: AgentRequest): boolean =>
  gateway.toolLists.take(caller.quotaKey, startedAtMs)

/** The later revision says by the status that a method is unknown. */
export function refuse(
  exchange: Exchange,
  agent: AgentRequest,
  message: AgentMessage,
  error: RpcError,
) {
  const isUnknown = error.code === rpcCodes.methodNotFound && message.revision === modernRevision
  return answer(exchange, agent, isUnknown ? 404 : 200, errorText(message.id, error))
}

export function answer(
  exchange: Exchange,
  { corsFields }: AgentRequest,
  status: number,
  body: string,
): Verdict {
  exchange.answer(status, [...(body === '' ? [] : jsonFields), ...corsFields], body)
  return 'stop'
}

export const jsonFields = [
  'Content-Type',
  'application/json',
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
]

export function refuseUnknown(
  exchange: Exchange,
  agent: AgentRequest,
  message: AgentMessage,
): Verdict {
  const { name } = message.params
  const shown = typeof name === 'string' ? name.slice(0, 100) : ''
  const error = { code: rpcCodes.invalidParams, message: `Unknown tool: ${shown}` }
  return refuse(exchange, agent, message, error)
}

/** A tool error, before anything was called. */
export function answerError(
  exchange: Exchange,
  agent: AgentRequest,
  message: AgentMessage,
  words: string,
): Verdict {
  const result = `{${failed([words])}${endOf(message)}}`
  return answer(exchange, agent, 200, resultText(message.id, result))
}

export const endOf = ({ revision }: AgentMessage) =>
  revision === modernRevision ? `,${modernFields()}` : ''
