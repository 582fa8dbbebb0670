import type { AgentRequest } from '../exchange/agent-request.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { KeptAnswer } from '../messages/kept-answer-messages.ts'
import { agentKey } from './may-use.ts'
import { modernRevision, rpcCodes, type RpcError } from './protocol.ts'
import type { AgentMessage } from './read-message.ts'

const scheme = 'gatehouse:answers/'

export const uriOf = (id: string) => scheme + id

/** Asks for the answer that a message names, and has the exchange resumed. False: it names none of ours. */
export function fetchAnswer(
  exchange: Exchange,
  agent: AgentRequest,
  { params }: AgentMessage,
): boolean {
  const { uri } = params
  const id = typeof uri === 'string' && uri.startsWith(scheme) ? uri.slice(scheme.length) : ''
  if (!/^[\da-f-]{36}$/.test(id)) return false
  exchange.gateway.answerKeeper.find(id, agentKey(agent), (answer) => {
    agent.fetched = answer ?? 'none'
    exchange.resume()
  })
  return true
}

/** The fields of the result, as JSON without the braces. */
export const readFields = ({ params }: AgentMessage, { mimeType, data }: KeptAnswer): string =>
  `"contents":[${JSON.stringify({ uri: params['uri'], mimeType, blob: data })}]`

/** It may be another caller's: nothing tells that. */
export function notFound({ params, revision }: AgentMessage): RpcError {
  const uri = typeof params['uri'] === 'string' ? params['uri'].slice(0, 200) : ''
  const code = revision === modernRevision ? rpcCodes.invalidParams : rpcCodes.resourceNotFound
  return { code, message: 'There is no such answer, or not any more.', data: { uri } }
}
